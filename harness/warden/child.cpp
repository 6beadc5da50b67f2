#include "harness/warden/child.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {
namespace {

// How soon what was killed is looked at again.
constexpr double kClearTickSeconds = 0.001;
// How soon what lives on after its program is looked at again.
constexpr double kLingerTickSeconds = 0.01;

// Reads once. Gives the bytes, an empty view when there is nothing now, and closes `fd` at its end.
std::string_view read_once(Fd& fd, std::array<char, 65536>& buffer) {
  ssize_t n = 0;
  do {
    n = ::read(fd.get(), buffer.data(), buffer.size());
  } while (n < 0 && errno == EINTR);
  if (n > 0) return {buffer.data(), static_cast<std::size_t>(n)};
  if (n == 0 || errno != EAGAIN) fd.reset();
  return {};
}

}  // namespace

Child::Child(Launch launch, double now, std::unique_ptr<ControlGroup> group, double linger_seconds)
    : launch_(std::move(launch)),
      group_(std::move(group)),
      linger_seconds_(linger_seconds),
      began_(now) {
  std::map<std::string, std::string> environment = launch_.environment;
  environment["RACKPROOF_NONCE"] = launch_.attempt;
  if (launch_.tells_progress) watch_.emplace(std::make_shared<const ProgressMemory>(), now);
  const int page = watch_ ? watch_->descriptor() : -1;
  if (page >= 0) environment[contract::kProgressVariable] = std::to_string(kPageDescriptor);
  oom_kills_before_ = oom_kills_here();
  process_ = spawn(launch_.arguments, environment, group_.get(), page);
  next_ = now + launch_.deadline_seconds;
  write_in();
}

void Child::pump(std::vector<OutLine>& lines) {
  if (process_.in) write_in();
  if (process_.out) read_out(lines);
  if (process_.err) read_err();
}

void Child::write_in() {
  while (process_.in && stdin_sent_ < launch_.stdin_text.size()) {
    // SIGPIPE is ignored in the warden, so a child that closed its stdin is only an error here.
    const ssize_t n = ::write(process_.in.get(), launch_.stdin_text.data() + stdin_sent_,
                              launch_.stdin_text.size() - stdin_sent_);
    if (n > 0) {
      stdin_sent_ += static_cast<std::size_t>(n);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      break;
    }
  }
  process_.in.reset();
}

void Child::read_out(std::vector<OutLine>& lines) {
  // A flood must not starve the other descriptors: a bounded number of reads at a time.
  std::array<char, 65536> buffer{};
  for (int i = 0; i < 16 && process_.out; ++i) {
    const std::string_view bytes = read_once(process_.out, buffer);
    if (bytes.empty()) break;
    take_out(bytes, lines);
  }
  if (!process_.out && !line_.empty()) {
    lines.push_back({line_, false});
    line_.clear();
  }
}

void Child::take_out(std::string_view bytes, std::vector<OutLine>& lines) {
  out_bytes_ += static_cast<std::int64_t>(bytes.size());
  while (!bytes.empty()) {
    const std::size_t newline = bytes.find('\n');
    const std::string_view part = bytes.substr(0, newline);
    if (line_.size() + part.size() > kMaxLineBytes) line_too_long_ = true;
    line_ += part.substr(0, kMaxLineBytes - std::min(kMaxLineBytes, line_.size()));
    if (newline == std::string_view::npos) return;
    if (out_bytes_ > kMaxOutputBytes || line_too_long_) {
      ++dropped_lines_;
    } else {
      lines.push_back({line_, true});
    }
    line_.clear();
    line_too_long_ = false;
    bytes.remove_prefix(newline + 1);
  }
}

void Child::read_err() {
  std::array<char, 65536> buffer{};
  for (int i = 0; i < 16 && process_.err; ++i) {
    std::string_view bytes = read_once(process_.err, buffer);
    if (bytes.empty()) return;
    err_bytes_ += static_cast<std::int64_t>(bytes.size());
    const std::size_t head = std::min(bytes.size(), kStderrHead - err_head_.size());
    err_head_ += bytes.substr(0, head);
    err_tail_ += bytes.substr(head);
    if (err_tail_.size() > kStderrTail) err_tail_.erase(0, err_tail_.size() - kStderrTail);
  }
}

void Child::terminate(double now) {
  state_at_deadline_ = process_state(process_.pid);
  if (watch_) watch_->keep(now, state_at_deadline_);
  kill(-process_.pid, SIGTERM);
  state_ = State::kTerminating;
  next_ = now + launch_.grace_seconds;
}

void Child::cancel(const model::Reason<model::CancelReason>& by, double now) {
  if (state_ != State::kRunning || !process_.error.empty()) return;
  cancelled_by_ = by;
  terminate(now);
}

void Child::reap(double now) {
  if (reaped_ || process_.pid <= 0) return;
  int status = 0;
  if (waitpid(process_.pid, &status, WNOHANG) == process_.pid) take_end(status, now);
}

void Child::take_end(int status, double now) {
  reaped_ = true;
  if (wedged_) return;  // it has been given up
  status_ = status;
  ended_ = now;
  if (watch_) watch_->keep(now, {});
  if (WIFSIGNALED(status_)) oom_kills_ = oom_kills_here() - oom_kills_before_;
  state_ = State::kDraining;
  sweep_.emplace(process_.pid, launch_.attempt, group_.get());
  drain_until_ = now + (stopped() ? kDrainSeconds : linger_seconds_);
  next_ = drain_until_;
}

bool Child::tick(double now, const std::vector<LiveAttempt>& others) {
  if (!process_.error.empty()) {
    if (process_.pid > 0 && !reaped_) waitpid(process_.pid, &status_, 0);
    reaped_ = true;
    ended_ = now;
    state_ = State::kOver;
    return true;
  }
  if (watch_ && state_ == State::kRunning) watch_->look(now);
  reap(now);
  if (state_ == State::kDraining) {
    drain(now, others);
  } else if (state_ != State::kClearing && now >= next_) {
    if (state_ == State::kRunning) {
      timed_out_ = true;
      terminate(now);
    } else if (state_ == State::kTerminating) {
      needed_kill_ = true;
      kill(-process_.pid, SIGKILL);
      state_ = State::kKilled;
      next_ = now + kWedgedSeconds;
    } else {
      wedged_ = true;
      state_at_deadline_ = process_state(process_.pid);
      ended_ = now;
      begin_clearing(now);
    }
  }
  if (state_ == State::kClearing) clear(now, others);
  return state_ == State::kOver;
}

void Child::drain(double now, const std::vector<LiveAttempt>& others) {
  const bool drained = !process_.out && !process_.err;
  if (now < drain_until_) {
    if (!drained) return;
    if (!stopped() && sweep_->any_left(others)) {
      next_ = std::min(drain_until_, now + kLingerTickSeconds);
      return;
    }
  }
  leaked_ = !drained;
  begin_clearing(now);
}

void Child::begin_clearing(double now) {
  if (!sweep_) sweep_.emplace(process_.pid, launch_.attempt, group_.get());
  state_ = State::kClearing;
  clear_until_ = now + kClearSeconds;
}

void Child::clear(double now, const std::vector<LiveAttempt>& others) {
  next_ = now + kClearTickSeconds;
  if (!sweep_->go_round(others)) {
    if (now < clear_until_) return;
    left_alive_ = sweep_->last_state();
  }
  process_.in.reset();
  process_.out.reset();
  process_.err.reset();
  state_ = State::kOver;
}

double Child::next_deadline(double now) const {
  if (!process_.error.empty()) return 0;
  const bool looks = watch_ && state_ == State::kRunning;
  return std::max(0.0, (looks ? std::min(next_, watch_->next_look()) : next_) - now);
}

journal::End Child::end_facts() const {
  journal::End facts;
  facts.seconds = ended_ - began_;
  facts.spawn_error = process_.error;
  facts.wedged_state = wedged_ ? state_at_deadline_ : left_alive_;
  if (reaped_ && !wedged_ && WIFSIGNALED(status_)) facts.signal = WTERMSIG(status_);
  if (reaped_ && !wedged_ && WIFEXITED(status_)) facts.exit_code = WEXITSTATUS(status_);
  facts.cancelled_by = cancelled_by_;
  facts.timed_out = timed_out_;
  facts.killed = needed_kill_;
  facts.state = state_at_deadline_;
  facts.leaked = leaked_;
  facts.stragglers = sweep_ ? sweep_->killed() : 0;
  facts.oom_kills = oom_kills_;
  facts.dropped_lines = dropped_lines_;
  facts.out_bytes = out_bytes_;
  facts.err_bytes = err_bytes_;
  facts.err = err_head_;
  const auto kept = static_cast<std::int64_t>(err_head_.size() + err_tail_.size());
  if (err_bytes_ > kept) {
    facts.err += "\n[" + std::to_string(err_bytes_ - kept) + " bytes left out]\n";
  }
  facts.err += err_tail_;
  const bool well = facts.signal == 0 && facts.exit_code == 0 && cancelled_by_.empty() && !wedged_;
  if (watch_ && !well) facts.progress = watch_->kept();
  return facts;
}

}  // namespace rackproof::warden

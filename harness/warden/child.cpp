#include "harness/warden/child.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {
namespace {

// How soon what was killed is looked at again.
constexpr double kClearTickSeconds = 0.001;
// How soon what lives on after its program is looked at again.
constexpr double kLingerTickSeconds = 0.01;

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
  streams_ = Streams(std::move(process_.in), std::move(process_.out), std::move(process_.err),
                     launch_.stdin_text);
  next_ = now + launch_.deadline_seconds;
}

void Child::terminate(double now) {
  fate_.state_at_deadline = process_state(process_.pid);
  if (watch_) watch_->keep(now, fate_.state_at_deadline);
  kill(-process_.pid, SIGTERM);
  state_ = State::kTerminating;
  next_ = now + launch_.grace_seconds;
}

void Child::cancel(const model::Reason<model::CancelReason>& by, double now) {
  if (state_ != State::kRunning || !process_.error.empty()) return;
  fate_.cancelled_by = by;
  terminate(now);
}

void Child::reap(double now) {
  if (reaped_ || process_.pid <= 0) return;
  int status = 0;
  if (waitpid(process_.pid, &status, WNOHANG) == process_.pid) take_end(status, now);
}

void Child::take_end(int status, double now) {
  reaped_ = true;
  if (fate_.wedged) return;  // it has been given up
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
      fate_.timed_out = true;
      terminate(now);
    } else if (state_ == State::kTerminating) {
      fate_.needed_kill = true;
      kill(-process_.pid, SIGKILL);
      state_ = State::kKilled;
      next_ = now + kWedgedSeconds;
    } else {
      fate_.wedged = true;
      fate_.state_at_deadline = process_state(process_.pid);
      ended_ = now;
      begin_clearing(now);
    }
  }
  if (state_ == State::kClearing) clear(now, others);
  return state_ == State::kOver;
}

void Child::drain(double now, const std::vector<LiveAttempt>& others) {
  const bool drained = streams_.drained();
  if (now < drain_until_) {
    if (!drained) return;
    if (!stopped() && sweep_->any_left(others)) {
      next_ = std::min(drain_until_, now + kLingerTickSeconds);
      return;
    }
  }
  fate_.leaked = !drained;
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
    fate_.left_alive = sweep_->last_state();
  }
  streams_.close();
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
  facts.wedged_state = fate_.wedged ? fate_.state_at_deadline : fate_.left_alive;
  if (reaped_ && !fate_.wedged && WIFSIGNALED(status_)) facts.signal = WTERMSIG(status_);
  if (reaped_ && !fate_.wedged && WIFEXITED(status_)) facts.exit_code = WEXITSTATUS(status_);
  facts.cancelled_by = fate_.cancelled_by;
  facts.timed_out = fate_.timed_out;
  facts.killed = fate_.needed_kill;
  facts.state = fate_.state_at_deadline;
  facts.leaked = fate_.leaked;
  facts.leftovers = sweep_ ? sweep_->killed() : 0;
  facts.oom_kills = oom_kills_;
  streams_.describe(facts);
  const bool well =
      facts.signal == 0 && facts.exit_code == 0 && fate_.cancelled_by.empty() && !fate_.wedged;
  if (watch_ && !well) facts.progress = watch_->kept();
  return facts;
}

}  // namespace rackproof::warden

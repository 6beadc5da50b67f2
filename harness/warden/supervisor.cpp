#include "harness/warden/supervisor.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "harness/journal/entry_json.hpp"
#include "harness/warden/process_tree.hpp"
#include "reports/model/words.hpp"

namespace rackproof::warden {
namespace {

constexpr double kLastActLimitSeconds = 300;
// How often everything is looked at when the kernel does not tell what there is to do.
constexpr double kBlindSeconds = 0.01;
// Once its rank is gone, nobody ends a warden whose disk hangs but the kernel.
constexpr unsigned kAloneSeconds = 60;

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

}  // namespace

Supervisor::Supervisor(support::Fd socket, pid_t rank, const WardenSettings& settings,
                       std::shared_ptr<const ProgressMemory> memory)
    : link_(std::move(socket)),
      rank_(rank),
      deaths_(watch_deaths()),
      rank_end_(static_cast<int>(syscall(SYS_pidfd_open, rank, 0))),
      standstill_(rank, settings),
      linger_seconds_(settings.linger_seconds),
      loads_({rank, getpid()}),
      guard_(rank, std::move(memory)) {
  if (settings.control_groups) groups_.emplace();
}

double Supervisor::seconds_since_open() { return opened_ > 0 ? clock_.now() - opened_ : 0; }

std::vector<LiveAttempt> Supervisor::all_but(const Child& child) const {
  std::vector<LiveAttempt> others = given_up_;
  for (const auto& [attempt, other] : children_) {
    if (other.get() == &child) continue;
    others.push_back({other->pid(), attempt, other->launch().starts_others});
  }
  return others;
}

void Supervisor::run() {
  while (!closing_ && !rank_lost_) poll_once();
  if (rank_lost_) rank_is_gone();
}

void Supervisor::poll_once() {
  std::vector<pollfd> fds;
  fds.push_back({link_.fd(), static_cast<short>(POLLIN | (link_.has_more() ? POLLOUT : 0)), 0});
  if (rank_end_) fds.push_back({rank_end_.get(), POLLIN, 0});
  if (deaths_) fds.push_back({deaths_.get(), POLLIN, 0});
  const double now = clock_.now();
  double wait = rank_end_ ? 3600 : kLookSeconds;
  if (!guard_.attempt().empty()) wait = guard_.next_deadline(now);
  if (standstill_.matters()) wait = std::min(wait, kLookSeconds);
  for (const auto& [attempt, child] : children_) {
    if (child->pid_fd() >= 0) fds.push_back({child->pid_fd(), POLLIN, 0});
    if (child->out_fd() >= 0) fds.push_back({child->out_fd(), POLLIN, 0});
    if (child->err_fd() >= 0) fds.push_back({child->err_fd(), POLLIN, 0});
    if (child->in_fd() >= 0) fds.push_back({child->in_fd(), POLLOUT, 0});
    wait = std::min(wait, child->next_deadline(now));
  }
  const int timeout = static_cast<int>(std::min(wait * 1000 + 1, 60'000.0));
  // All that follows blocks on nothing, so it can be done without being told that it is time.
  if (::poll(fds.data(), fds.size(), timeout) < 0 && errno != EINTR) clock_.sleep(kBlindSeconds);
  listen();
  bury_the_dead();
  step_children();
  check_guard();
  check_standstill();
  link_.flush();
}

void Supervisor::listen() {
  // In this order: what a rank said before it went is still in the socket.
  const bool gone = getppid() != rank_;
  if (!link_.read() || gone) rank_lost_ = true;
  while (auto frame = link_.next()) obey(*frame);
}

// As a child subreaper, this process also gets what its attempts leave behind while they run.
// Unburied it would fill the table of processes.
void Supervisor::bury_the_dead() {
  if (!some_died(deaths_)) return;
  int status = 0;
  for (pid_t pid = 0; (pid = waitpid(-1, &status, WNOHANG)) > 0;) {
    for (const auto& [attempt, child] : children_) {
      if (child->pid() == pid) child->take_end(status, clock_.now());
    }
  }
}

void Supervisor::obey(const Frame& frame) {
  const auto field = [&](std::size_t i) -> const std::string& { return frame.fields.at(i); };
  switch (frame.word) {
    case Word::kOpenJournal:
      open_journal(field(0));
      break;
    case Word::kNote:
      note(field(0), field(1) == "durable");
      break;
    case Word::kShare:
      share_host(frame);
      break;
    case Word::kStart:
      start(frame);
      break;
    case Word::kCancel:
      if (const auto child = children_.find(field(0)); child != children_.end()) {
        child->second->cancel(model::reason_of<model::CancelReason>(field(1)), clock_.now());
      }
      break;
    case Word::kGuard:
      begin_guard(frame);
      break;
    case Word::kSay:
      if (guard_.attempt() == field(0))
        record(field(0), journal::to_json(journal::Out{field(0), field(1)}), false);
      break;
    case Word::kRelease:
      if (guard_.attempt() == field(0)) {
        record_end(field(0), guard_.released(static_cast<int>(number(field(1))), clock_.now()));
      }
      break;
    case Word::kLastAct:
      last_act_ = frame.fields;
      break;
    case Word::kPing:
      link_.tell({Word::kPong, {}});
      break;
    case Word::kClose:
      end_everything(model::CancelReason::kRunEnded);
      note_close(model::reason_of<model::CloseReason>(field(0)));
      closing_ = true;
      link_.flush();
      break;
    case Word::kAck:
    case Word::kEvent:
    case Word::kFailed:
    case Word::kPong:
      break;
  }
}

void Supervisor::open_journal(const std::string& path) {
  const bool good = journal_.open(path);
  opened_ = clock_.now();
  tell_result(Word::kAck, good);
}

bool Supervisor::write_line(const std::string& line) {
  if (!journal_.is_open()) return true;
  return journal_.append(line) || tell_failure();
}

bool Supervisor::tell_failure() {
  if (!failure_told_) tell_result(Word::kFailed, false);
  failure_told_ = true;
  return false;
}

void Supervisor::note(const std::string& line, bool durable) {
  bool good = write_line(line);
  if (!durable) return;
  if (journal_.is_open()) good = good && journal_.sync();
  tell_result(Word::kAck, good);
}

void Supervisor::share_host(const Frame& frame) {
  looks_ = !frame.fields.at(0).empty();
  // This process is below its rank, and outlives it.
  std::vector<pid_t> own = {rank_, getpid()};
  for (std::size_t i = 2; i < frame.fields.size(); ++i) {
    own.push_back(static_cast<pid_t>(number(frame.fields[i])));
  }
  loads_.share(std::move(own), frame.fields.at(1));
}

void Supervisor::start(const Frame& frame) {
  // Fields: attempt, head, stdin, deadline, grace, whether it starts others, whether it tells
  // how far it is, argument count, arguments, then NAME, VALUE pairs.
  Launch launch;
  launch.attempt = frame.fields.at(0);
  launch.head = frame.fields.at(1);
  launch.stdin_text = frame.fields.at(2);
  launch.deadline_seconds = number(frame.fields.at(3));
  launch.grace_seconds = number(frame.fields.at(4));
  launch.starts_others = !frame.fields.at(5).empty();
  launch.tells_progress = !frame.fields.at(6).empty();
  const auto count = static_cast<std::size_t>(number(frame.fields.at(7)));
  std::size_t at = 8;
  for (std::size_t i = 0; i < count; ++i) launch.arguments.push_back(frame.fields.at(at++));
  for (; at + 1 < frame.fields.size(); at += 2) {
    launch.environment[frame.fields[at]] = frame.fields[at + 1];
  }
  const std::string attempt = launch.attempt;
  loads_.begin(attempt);
  auto child = std::make_unique<Child>(std::move(launch), clock_.now(),
                                       groups_ ? groups_->take() : nullptr, linger_seconds_);
  record(attempt,
         journal::begin_line(attempt, seconds_since_open(), child->launch().head,
                             child->launch().deadline_seconds, child->pid()),
         false);
  children_[attempt] = std::move(child);
}

void Supervisor::record(const std::string& attempt, const std::string& line, bool last) {
  write_line(line);
  if (last && journal_.is_open() && !journal_.sync()) tell_failure();
  link_.tell({Word::kEvent, {attempt, line, last ? "last" : ""}});
}

void Supervisor::record_end(const std::string& attempt, journal::End facts) {
  facts.attempt = attempt;
  facts.t = seconds_since_open();
  facts.load = loads_.end(attempt);
  record(attempt, journal::to_json(facts), true);
}

void Supervisor::note_close(const model::Reason<model::CloseReason>& reason) {
  note(journal::to_json(journal::Close{seconds_since_open(), clock_.utc(), reason}), true);
}

void Supervisor::take_lines(Child& child, const std::vector<OutLine>& lines) {
  for (const OutLine& line : lines) {
    record(child.attempt(), journal::to_json(journal::Out{child.attempt(), line.text, line.whole}),
           false);
  }
}

void Supervisor::step_children() {
  for (auto entry = children_.begin(); entry != children_.end();) {
    Child& child = *entry->second;
    std::vector<OutLine> lines;
    child.pump(lines);
    take_lines(child, lines);
    if (!child.tick(clock_.now(), all_but(child))) {
      ++entry;
      continue;
    }
    const journal::End facts = child.end_facts();
    record_end(child.attempt(), facts);
    if (groups_) groups_->give_back(child.take_group());
    // What even KILL did not end is not what a later attempt left behind.
    if (!facts.wedged_state.empty()) given_up_.push_back({child.pid(), child.attempt(), false});
    entry = children_.erase(entry);
  }
}

void Supervisor::begin_guard(const Frame& frame) {
  const std::string& attempt = frame.fields.at(0);
  const double seconds = number(frame.fields.at(2));
  guard_.begin(attempt, seconds, clock_.now());
  if (looks_) loads_.begin(attempt);
  record(attempt,
         journal::begin_line(attempt, seconds_since_open(), frame.fields.at(1), seconds, rank_),
         false);
}

void Supervisor::check_guard() {
  if (!guard_.tick(clock_.now())) return;
  const std::string attempt = guard_.attempt();
  record_end(attempt, guard_.overdue(clock_.now()));
  kill_rank();
}

// Once it is gone, its number may be another's.
void Supervisor::kill_rank() const {
  if (getppid() == rank_) kill(rank_, SIGKILL);
}

void Supervisor::check_standstill() {
  if (!standstill_.too_long(clock_.now())) return;
  stood_still_ = true;
  kill_rank();
}

void Supervisor::tell_result(Word word, bool good) {
  link_.tell({word, {good ? "" : journal_.error(), journal_.lost() ? "lost" : ""}});
}

void Supervisor::end_everything(model::CancelReason by) {
  for (const auto& [attempt, child] : children_) child->cancel(by, clock_.now());
  while (!children_.empty()) {
    step_children();
    link_.flush();
    if (!children_.empty()) clock_.sleep(0.005);
  }
  kill_leftovers();
}

void Supervisor::kill_leftovers() {
  Sweep sweep(-1, "", nullptr);
  const double until = clock_.now() + kClearSeconds;
  while (!sweep.go_round({}) && clock_.now() < until) clock_.sleep(0.001);
}

void Supervisor::rank_is_gone() {
  double grace = 0;
  for (const auto& [attempt, child] : children_) {
    grace = std::max(grace, child->launch().grace_seconds);
  }
  alarm(kAloneSeconds + static_cast<unsigned>(grace));
  if (const std::string attempt = guard_.attempt(); !attempt.empty()) {
    record_end(attempt, guard_.rank_gone(clock_.now()));
  }
  // Nobody is left to be polite to: what runs on a lost rank's behalf must not hold the hardware.
  for (const auto& [attempt, child] : children_) {
    if (child->pid() > 0) kill(-child->pid(), SIGKILL);
  }
  end_everything(model::CancelReason::kRankGone);
  note_close(stood_still_ ? model::CloseReason::kRankStopped : model::CloseReason::kRankGone);
  journal_.close();
  perform_last_act();
}

void Supervisor::perform_last_act() {
  if (last_act_.empty()) return;
  Launch launch;
  launch.attempt = "last-act";
  launch.arguments = last_act_;
  launch.deadline_seconds = kLastActLimitSeconds;
  alarm(static_cast<unsigned>(kLastActLimitSeconds) + kAloneSeconds);
  Child child(std::move(launch), clock_.now(), nullptr, linger_seconds_);
  std::vector<OutLine> dropped;
  for (;;) {
    child.pump(dropped);
    dropped.clear();
    if (child.tick(clock_.now(), {})) return;
    clock_.sleep(0.01);
  }
}

}  // namespace rackproof::warden

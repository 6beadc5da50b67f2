#include "harness/warden/process_warden.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <system_error>

#include "harness/warden/child.hpp"
#include "harness/warden/control_group.hpp"
#include "harness/warden/environment.hpp"
#include "harness/warden/process_tree.hpp"
#include "harness/warden/supervisor.hpp"
#include "harness/warden/sweep.hpp"
#include "reports/model/words.hpp"

namespace rackproof::warden {
namespace {

// A warden that has said nothing for so long is asked whether it is there.
constexpr double kAskSeconds = 20;
// How long a process that got KILL is waited for.
constexpr double kDeadSeconds = 2;
constexpr double kReapTickSeconds = 0.005;

[[noreturn]] void be_the_warden(support::Fd socket, pid_t rank, const WardenSettings& settings,
                                std::shared_ptr<const ProgressMemory> memory) {
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "rackproof-wardn");
  settle_environment();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::signal(SIGALRM, SIG_DFL);
  // The launcher waits for the rank's descriptors to close: the warden must not keep them open.
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) dup2(null, fd);
  close(null);
  bool well = false;
  {
    Supervisor supervisor(std::move(socket), rank, settings, std::move(memory));
    try {
      supervisor.run();
      well = true;
    } catch (...) {
      // The rank sees the socket close.
      supervisor.kill_leftovers();
    }
  }
  _exit(well ? 0 : 1);
}

void throw_if_wrong(const Frame& answer) {
  const std::string& what = answer.fields.at(0);
  if (what.empty()) return;
  if (!answer.fields.at(1).empty()) throw JournalLost(what);
  throw WardenError(what);
}

}  // namespace

std::unique_ptr<Warden> fork_warden(const WardenSettings& settings) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw WardenError("cannot make the warden's socket: " + std::generic_category().message(errno));
  }
  support::Fd ours(ends[0]);
  support::Fd theirs(ends[1]);
  // Should the warden be killed, what was below it comes to this process.
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t rank = getpid();
  const auto memory = std::make_shared<const ProgressMemory>();
  const pid_t pid = fork();
  if (pid < 0)
    throw WardenError("cannot fork the warden: " + std::generic_category().message(errno));
  if (pid == 0) {
    ours.reset();
    be_the_warden(std::move(theirs), rank, settings, memory);
  }
  return std::make_unique<ProcessWarden>(std::move(ours), pid, settings.answer_seconds, memory);
}

ProcessWarden::ProcessWarden(support::Fd socket, pid_t pid, double answer_seconds,
                             std::shared_ptr<const ProgressMemory> memory)
    : socket_(std::move(socket)),
      pid_(pid),
      memory_(std::move(memory)),
      answer_seconds_(answer_seconds),
      heard_(clock_.now()) {}

ProcessWarden::~ProcessWarden() {
  // One that is about has its last act before it; one that was stopped would stay for ever.
  if (!gone_ && process_state(pid_).id == model::ProcessState::kStopped) bury();
  socket_.reset();
  waitpid(pid_, nullptr, WNOHANG);
}

void ProcessWarden::send(const Frame& frame) {
  if (gone_) throw WardenError("the warden process is gone");
  if (!write_fully(socket_.get(), encode(frame), answer_seconds_)) give_up("takes no order");
}

void ProcessWarden::give_up(const std::string& why) {
  const model::Reason<model::ProcessState> state = process_state(pid_);
  gone_ = true;
  bury();
  throw WardenError(state.id == model::ProcessState::kGone
                        ? "the warden process is gone"
                        : "the warden process " + why + ": it is " + model::to_text(state));
}

// Nothing that it started may outlive it: nobody else would end it.
void ProcessWarden::bury() {
  end_all_below(pid_);
  kill(pid_, SIGKILL);
  const double until = clock_.now() + kDeadSeconds;
  while (waitpid(pid_, nullptr, WNOHANG) == 0 && clock_.now() < until) {
    clock_.sleep(kReapTickSeconds);
  }
  clear_control_groups_of(pid_);
  end_orphans_of(pid_);
}

void ProcessWarden::receive() {
  if (gone_) return;
  const bool open = read_available(socket_.get(), reader_);
  while (auto frame = reader_.next()) {
    heard_ = clock_.now();
    asked_.reset();
    if (frame->word == Word::kAck) {
      acks_.push_back(std::move(*frame));
    } else if (frame->word == Word::kEvent) {
      events_.push_back({frame->fields.at(0), frame->fields.at(1), !frame->fields.at(2).empty()});
      if (events_.back().last) graces_.erase(events_.back().attempt);
    } else if (frame->word == Word::kFailed) {
      failure_ = std::move(*frame);
    }
  }
  if (open) return;
  gone_ = true;
  bury();
}

void ProcessWarden::await_ack(double seconds) {
  const double until = clock_.now() + seconds;
  while (acks_.empty()) {
    if (gone_) throw WardenError("the warden process is gone");
    const double left = until - clock_.now();
    if (left <= 0) give_up("does not answer");
    wait_for(socket_.get(), POLLIN, left);
    receive();
  }
  const Frame answer = std::move(acks_.front());
  acks_.pop_front();
  throw_if_wrong(answer);
}

// Whoever waits for the end of an attempt waits for a warden that may have been stopped.
void ProcessWarden::ask_whether_alive() {
  const double now = clock_.now();
  if (asked_) {
    if (now - *asked_ >= answer_seconds_) give_up("does not answer");
  } else if (now - heard_ >= std::min(kAskSeconds, answer_seconds_)) {
    asked_ = now;
    send({Word::kPing, {}});
  }
}

void ProcessWarden::open_journal(const std::string& path) {
  send({Word::kOpenJournal, {path}});
  await_ack(answer_seconds_);
}

void ProcessWarden::note(std::string_view line, bool durable) {
  send({Word::kNote, {std::string(line), durable ? "durable" : ""}});
  if (durable) await_ack(answer_seconds_);
}

void ProcessWarden::share_host(const HostShare& share) {
  Frame frame{Word::kShare, {share.looks ? "looks" : "", share.blind}};
  for (const std::int64_t rank : share.ranks) frame.fields.push_back(std::to_string(rank));
  send(frame);
}

void ProcessWarden::start(const Launch& launch) {
  Frame frame{
      Word::kStart,
      {launch.attempt, launch.head, launch.stdin_text, std::to_string(launch.deadline_seconds),
       std::to_string(launch.grace_seconds), launch.starts_others ? "starts" : "",
       launch.tells_progress ? "tells" : "", std::to_string(launch.arguments.size())}};
  for (const std::string& argument : launch.arguments) frame.fields.push_back(argument);
  for (const auto& [name, value] : launch.environment) {
    frame.fields.push_back(name);
    frame.fields.push_back(value);
  }
  graces_[launch.attempt] = launch.grace_seconds;
  send(frame);
}

void ProcessWarden::cancel(const std::string& attempt,
                           const model::Reason<model::CancelReason>& by) {
  send({Word::kCancel, {attempt, model::to_text(by)}});
}

std::vector<Event> ProcessWarden::wait(double seconds) {
  receive();
  if (events_.empty() && !failure_ && !gone_) {
    wait_for(socket_.get(), POLLIN, seconds);
    receive();
    if (!gone_) ask_whether_alive();
  }
  std::vector<Event> events(events_.begin(), events_.end());
  events_.clear();
  // What came with the failure, or after it, is in no journal: nobody may count on it.
  if (failure_) throw_if_wrong(*failure_);
  if (gone_ && events.empty()) throw WardenError("the warden process is gone");
  return events;
}

void ProcessWarden::guard(const std::string& attempt, const std::string& head,
                          double deadline_seconds) {
  if (contract::ProgressPage* const page = progress_page()) clear(*page);
  send({Word::kGuard, {attempt, head, std::to_string(deadline_seconds)}});
  // A warden that was stopped ends nobody.
  alarm(static_cast<unsigned>(std::ceil(deadline_seconds + answer_seconds_)));
}

void ProcessWarden::say(const std::string& attempt, const std::string& line) {
  send({Word::kSay, {attempt, line}});
}

void ProcessWarden::release(const std::string& attempt, int exit_code) {
  alarm(0);
  send({Word::kRelease, {attempt, std::to_string(exit_code)}});
}

void ProcessWarden::last_act(const std::vector<std::string>& arguments) {
  send({Word::kLastAct, arguments});
}

void ProcessWarden::close(const model::Reason<model::CloseReason>& reason) {
  if (gone_) return;
  send({Word::kClose, {model::to_text(reason)}});
  // What still runs is ended first: TERM, KILL, and then what it leaves behind.
  double ending = kClearSeconds;
  for (const auto& [attempt, grace] : graces_) {
    ending = std::max(ending, grace + kWedgedSeconds + kDrainSeconds + 2 * kClearSeconds);
  }
  await_ack(answer_seconds_ + ending);
  gone_ = true;
  socket_.reset();
  const double until = clock_.now() + answer_seconds_;
  while (waitpid(pid_, nullptr, WNOHANG) == 0) {
    if (clock_.now() >= until) return bury();
    clock_.sleep(kReapTickSeconds);
  }
}

}  // namespace rackproof::warden

#include "harness/warden/process_warden.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "harness/warden/environment.hpp"
#include "harness/warden/supervisor.hpp"

namespace rackproof::warden {
namespace {

[[noreturn]] void be_the_warden(Fd socket, pid_t rank, double patience_seconds) {
  setsid();
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, "rackproof-wardn");
  settle_environment();
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  // The launcher waits for the rank's descriptors to close: the warden must not keep them open.
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int fd = 0; fd <= 2; ++fd) dup2(null, fd);
  close(null);
  try {
    Supervisor(std::move(socket), rank, patience_seconds).run();
  } catch (...) {
    // The rank sees the socket close; the children die with this process (PR_SET_PDEATHSIG).
    _exit(1);
  }
  _exit(0);
}

}  // namespace

std::unique_ptr<Warden> fork_warden(double patience_seconds) {
  int ends[2] = {-1, -1};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw WardenError("cannot make the warden's socket: " + std::generic_category().message(errno));
  }
  Fd ours(ends[0]);
  Fd theirs(ends[1]);
  const pid_t rank = getpid();
  const pid_t pid = fork();
  if (pid < 0)
    throw WardenError("cannot fork the warden: " + std::generic_category().message(errno));
  if (pid == 0) {
    ours.reset();
    be_the_warden(std::move(theirs), rank, patience_seconds);
  }
  return std::make_unique<ProcessWarden>(std::move(ours), pid);
}

ProcessWarden::ProcessWarden(Fd socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}

ProcessWarden::~ProcessWarden() {
  socket_.reset();
  waitpid(pid_, nullptr, WNOHANG);
}

void ProcessWarden::send(const Frame& frame) {
  if (gone_ || !write_fully(socket_.get(), encode(frame))) {
    gone_ = true;
    throw WardenError("the warden process is gone");
  }
}

void ProcessWarden::receive() {
  if (!read_available(socket_.get(), reader_)) gone_ = true;
  while (auto frame = reader_.next()) {
    if (frame->word == Word::kAck) {
      acks_.push_back(frame->fields.at(0));
    } else if (frame->word == Word::kEvent) {
      events_.push_back({frame->fields.at(0), frame->fields.at(1), !frame->fields.at(2).empty()});
    } else if (frame->word == Word::kFailed) {
      failure_ = frame->fields.at(0);
    }
  }
}

void ProcessWarden::await_ack() {
  while (acks_.empty()) {
    if (gone_) throw WardenError("the warden process is gone");
    pollfd wait{socket_.get(), POLLIN, 0};
    ::poll(&wait, 1, -1);
    receive();
  }
  const std::string error = acks_.front();
  acks_.pop_front();
  if (!error.empty()) throw WardenError(error);
}

void ProcessWarden::open_journal(const std::string& path) {
  send({Word::kOpenJournal, {path}});
  await_ack();
}

void ProcessWarden::note(std::string_view line, bool durable) {
  send({Word::kNote, {std::string(line), durable ? "durable" : ""}});
  if (durable) await_ack();
}

void ProcessWarden::start(const Launch& launch) {
  Frame frame{
      Word::kStart,
      {launch.attempt, launch.head, launch.stdin_text, std::to_string(launch.deadline_seconds),
       std::to_string(launch.grace_seconds), std::to_string(launch.arguments.size())}};
  for (const std::string& argument : launch.arguments) frame.fields.push_back(argument);
  for (const auto& [name, value] : launch.environment) {
    frame.fields.push_back(name);
    frame.fields.push_back(value);
  }
  send(frame);
}

void ProcessWarden::cancel(const std::string& attempt, const std::string& by) {
  send({Word::kCancel, {attempt, by}});
}

std::vector<Event> ProcessWarden::wait(double seconds) {
  receive();
  if (events_.empty() && failure_.empty() && !gone_) {
    pollfd wait{socket_.get(), POLLIN, 0};
    ::poll(&wait, 1, static_cast<int>(seconds * 1000));
    receive();
  }
  std::vector<Event> events(events_.begin(), events_.end());
  events_.clear();
  // What came with the failure, or after it, is in no journal: nobody may count on it.
  if (!failure_.empty()) throw WardenError(failure_);
  if (gone_ && events.empty()) throw WardenError("the warden process is gone");
  return events;
}

void ProcessWarden::guard(const std::string& attempt, const std::string& head,
                          double deadline_seconds) {
  send({Word::kGuard, {attempt, head, std::to_string(deadline_seconds)}});
}

void ProcessWarden::say(const std::string& attempt, const std::string& line) {
  send({Word::kSay, {attempt, line}});
}

void ProcessWarden::release(const std::string& attempt, int exit_code) {
  send({Word::kRelease, {attempt, std::to_string(exit_code)}});
}

void ProcessWarden::last_act(const std::vector<std::string>& arguments) {
  send({Word::kLastAct, arguments});
}

void ProcessWarden::close(const std::string& reason) {
  if (gone_) return;
  send({Word::kClose, {reason}});
  await_ack();
  gone_ = true;
  socket_.reset();
  waitpid(pid_, nullptr, 0);
}

}  // namespace rackproof::warden

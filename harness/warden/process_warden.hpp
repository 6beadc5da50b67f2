#pragma once

#include <sys/types.h>

#include <deque>
#include <memory>

#include "harness/warden/fd.hpp"
#include "harness/warden/frame.hpp"
#include "harness/warden/warden.hpp"

namespace rackproof::warden {

/// The real warden: a process forked from this one. Call before MPI_Init and before any thread.
/// The child gets a session of its own, becomes a child subreaper, lets go of stdin, stdout and
/// stderr, and never returns. With `patience_seconds`, it ends this process once that has stood
/// still, stopped by a signal, for so long. Throws WardenError when it cannot be made.
std::unique_ptr<Warden> fork_warden(double patience_seconds = 0);

/// Our end of the socket to the warden process.
class ProcessWarden : public Warden {
 public:
  ProcessWarden(Fd socket, pid_t pid);
  ~ProcessWarden() override;
  ProcessWarden(const ProcessWarden&) = delete;
  ProcessWarden& operator=(const ProcessWarden&) = delete;

  void open_journal(const std::string& path) override;
  void note(std::string_view line, bool durable) override;
  void start(const Launch& launch) override;
  void cancel(const std::string& attempt, const std::string& by) override;
  std::vector<Event> wait(double seconds) override;
  void guard(const std::string& attempt, const std::string& head, double deadline_seconds) override;
  void say(const std::string& attempt, const std::string& line) override;
  void release(const std::string& attempt, int exit_code) override;
  void last_act(const std::vector<std::string>& arguments) override;
  void close(const std::string& reason) override;

 private:
  void send(const Frame& frame);
  void await_ack();
  void receive();

  Fd socket_;
  pid_t pid_;
  FrameReader reader_;
  std::deque<Event> events_;
  std::deque<std::string> acks_;
  std::string failure_;
  bool gone_ = false;
};

}  // namespace rackproof::warden

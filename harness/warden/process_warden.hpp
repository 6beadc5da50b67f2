#pragma once

#include <sys/types.h>

#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "harness/support/clock.hpp"
#include "harness/support/fd.hpp"
#include "harness/warden/frame.hpp"
#include "harness/warden/progress_watch.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// The real warden: a process forked from this one. Call before MPI_Init and before any thread.
/// The child gets a session of its own, becomes a child subreaper, lets go of stdin, stdout and
/// stderr, and never returns. Throws WardenError when it cannot be made.
std::unique_ptr<Warden> fork_warden(const WardenSettings& settings = {});

/// Our end of the socket to the warden process.
class ProcessWarden : public Warden {
 public:
  ProcessWarden(support::Fd socket, pid_t pid, double answer_seconds,
                std::shared_ptr<const ProgressMemory> memory);
  ~ProcessWarden() override;
  ProcessWarden(const ProcessWarden&) = delete;
  ProcessWarden& operator=(const ProcessWarden&) = delete;

  void open_journal(const std::string& path) override;
  void note(std::string_view line, bool durable) override;
  void share_host(const HostShare& share) override;
  void start(const Launch& launch) override;
  void cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by) override;
  std::vector<Event> wait(double seconds) override;
  void guard(const std::string& attempt, const std::string& head, double deadline_seconds) override;
  contract::ProgressPage* progress_page() override { return memory_->page(); }
  void say(const std::string& attempt, const std::string& line) override;
  void release(const std::string& attempt, int exit_code) override;
  void last_act(const std::vector<std::string>& arguments) override;
  void close(const model::Reason<model::CloseReason>& reason) override;

 private:
  void send(const Frame& frame);
  void await_ack(double seconds);
  void receive();
  void ask_whether_alive();
  [[noreturn]] void give_up(const std::string& why);
  void bury();

  support::Fd socket_;
  pid_t pid_;
  std::shared_ptr<const ProgressMemory> memory_;
  double answer_seconds_;
  support::SystemClock clock_;
  double heard_;                          ///< when the warden last said something
  std::optional<double> asked_;           ///< whether it is there, and it has not said so
  std::map<std::string, double> graces_;  ///< of what runs
  FrameReader reader_;
  std::deque<Event> events_;
  std::deque<Frame> acks_;
  std::optional<Frame> failure_;
  bool gone_ = false;
};

}  // namespace rackproof::warden

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/journal/entry.hpp"
#include "harness/warden/control_group.hpp"
#include "harness/warden/progress_watch.hpp"
#include "harness/warden/spawn.hpp"
#include "harness/warden/sweep.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// Bounds on what one attempt may say; the rest is counted and dropped.
inline constexpr std::size_t kMaxLineBytes = 64 * 1024;
inline constexpr std::int64_t kMaxOutputBytes = 64LL * 1024 * 1024;
inline constexpr std::size_t kStderrHead = 16 * 1024;
inline constexpr std::size_t kStderrTail = 48 * 1024;

/// How long a process that got KILL may take to vanish before it is called wedged.
inline constexpr double kWedgedSeconds = 10;
/// How long descriptors may stay open after their process was stopped.
inline constexpr double kDrainSeconds = 0.25;
/// How long what it left behind may take to die before it is called wedged.
inline constexpr double kClearSeconds = 10;

/// A line of stdout; `whole` is false for what came after the last newline.
struct OutLine {
  std::string text;
  bool whole = true;
};

/// One attempt while it lives: a passive state machine. The supervisor polls its descriptors, calls
/// read() when they are readable and tick() otherwise, and passes on the lines that come out.
class Child {
 public:
  /// `group` holds what it starts; null where there is none. What it started may outlive it by
  /// `linger_seconds`.
  Child(Launch launch, double now, std::unique_ptr<ControlGroup> group, double linger_seconds);

  const std::string& attempt() const { return launch_.attempt; }
  pid_t pid() const { return process_.pid; }

  /// Descriptors to poll for reading (closed ones are -1), and the one to poll for writing.
  int out_fd() const { return process_.out.get(); }
  int err_fd() const { return process_.err.get(); }
  int pid_fd() const { return reaped_ ? -1 : process_.pidfd.get(); }
  int in_fd() const { return process_.in.get(); }

  /// Moves what can be moved without blocking; whole stdout lines are appended to `lines`.
  void pump(std::vector<OutLine>& lines);
  /// Looks at the clock and at the process: TERM, KILL, reap, and the end of what it left behind.
  /// True when the attempt is over. `others` are those that go on.
  bool tick(double now, const std::vector<LiveAttempt>& others);
  /// Its process has been waited for by somebody else, with this status.
  void take_end(int status, double now);
  void cancel(const model::Reason<model::CancelReason>& by, double now);
  /// Seconds until tick() has something to do.
  double next_deadline(double now) const;

  const Launch& launch() const { return launch_; }
  /// What there is to say of its end, once over.
  journal::End end_facts() const;
  /// Its control group, for another attempt.
  std::unique_ptr<ControlGroup> take_group() { return std::move(group_); }

 private:
  enum class State { kRunning, kTerminating, kKilled, kDraining, kClearing, kOver };

  void read_out(std::vector<OutLine>& lines);
  void read_err();
  void write_in();
  void take_out(std::string_view bytes, std::vector<OutLine>& lines);
  void terminate(double now);
  /// Whether the warden ended it, rather than it itself.
  bool stopped() const { return timed_out_ || !cancelled_by_.empty(); }
  void reap(double now);
  void drain(double now, const std::vector<LiveAttempt>& others);
  void begin_clearing(double now);
  void clear(double now, const std::vector<LiveAttempt>& others);

  Launch launch_;
  std::unique_ptr<ControlGroup> group_;
  double linger_seconds_;
  std::optional<ProgressWatch> watch_;
  std::optional<Sweep> sweep_;
  Spawned process_;
  State state_ = State::kRunning;
  double began_ = 0;
  double ended_ = 0;
  double next_ = 0;
  bool reaped_ = false;
  int status_ = 0;
  bool timed_out_ = false;
  bool needed_kill_ = false;
  bool wedged_ = false;
  model::Reason<model::CancelReason> cancelled_by_;
  model::Reason<model::ProcessState> state_at_deadline_;
  /// Of a process that it left behind and KILL did not end.
  model::Reason<model::ProcessState> left_alive_;
  bool leaked_ = false;
  double drain_until_ = 0;
  double clear_until_ = 0;
  std::int64_t oom_kills_before_ = 0;
  std::int64_t oom_kills_ = 0;
  std::size_t stdin_sent_ = 0;
  std::string line_;
  bool line_too_long_ = false;
  std::int64_t out_bytes_ = 0;
  std::int64_t dropped_lines_ = 0;
  std::int64_t err_bytes_ = 0;
  std::string err_head_;
  std::string err_tail_;
};

}  // namespace rackproof::warden

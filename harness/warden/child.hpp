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
#include "harness/warden/streams.hpp"
#include "harness/warden/sweep.hpp"
#include "harness/warden/warden.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// How long a process that got KILL may take to vanish before it is called wedged.
inline constexpr double kWedgedSeconds = 10;
/// How long descriptors may stay open after their process was stopped.
inline constexpr double kDrainSeconds = 0.25;
/// How long what it left behind may take to die before it is called wedged.
inline constexpr double kClearSeconds = 10;

/// One attempt while it lives: a passive state machine. The supervisor polls its descriptors, calls
/// pump() when they are ready and tick() otherwise, and passes on the lines that come out.
class Child {
 public:
  /// `group` holds what it starts; null where there is none. What it started may outlive it by
  /// `linger_seconds`.
  Child(Launch launch, double now, std::unique_ptr<ControlGroup> group, double linger_seconds);

  const std::string& attempt() const { return launch_.attempt; }
  pid_t pid() const { return process_.pid; }

  /// Descriptors to poll for reading (closed ones are -1), and the one to poll for writing.
  int out_fd() const { return streams_.out_fd(); }
  int err_fd() const { return streams_.err_fd(); }
  int pid_fd() const { return reaped_ ? -1 : process_.pidfd.get(); }
  int in_fd() const { return streams_.in_fd(); }

  /// Moves what can be moved without blocking; whole stdout lines are appended to `lines`.
  void pump(std::vector<OutLine>& lines) { streams_.pump(lines); }
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

  /// How it came to its end.
  struct Fate {
    bool timed_out = false;
    bool needed_kill = false;
    bool wedged = false;
    bool leaked = false;
    model::Reason<model::CancelReason> cancelled_by;
    model::Reason<model::ProcessState> state_at_deadline;
    /// Of a process that it left behind and KILL did not end.
    model::Reason<model::ProcessState> left_alive;
  };

  void terminate(double now);
  /// Whether the warden ended it, rather than it itself.
  bool stopped() const { return fate_.timed_out || !fate_.cancelled_by.empty(); }
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
  Streams streams_;
  State state_ = State::kRunning;
  double began_ = 0;
  double ended_ = 0;
  double next_ = 0;
  bool reaped_ = false;
  int status_ = 0;
  Fate fate_;
  double drain_until_ = 0;
  double clear_until_ = 0;
  std::int64_t oom_kills_before_ = 0;
  std::int64_t oom_kills_ = 0;
};

}  // namespace rackproof::warden

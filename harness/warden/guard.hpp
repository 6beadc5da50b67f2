#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <string>

#include "harness/journal/entry.hpp"
#include "harness/warden/progress_watch.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// The attempt that a rank runs itself, while it does.
class Guard {
 public:
  /// The rank tells in `memory` how far it is.
  Guard(pid_t rank, std::shared_ptr<const ProgressMemory> memory)
      : rank_(rank), memory_(std::move(memory)) {}

  void begin(const std::string& attempt, double deadline_seconds, double now);
  /// Empty: there is none.
  const std::string& attempt() const { return attempt_; }

  /// Looks at the rank when it is time for that. True once the deadline has passed.
  bool tick(double now);
  /// Seconds until tick() has something to do.
  double next_deadline(double now) const;

  /// How it ended: the rank said so itself, did not in time, or is gone. There is none after that.
  journal::End released(int exit_code, double now);
  journal::End overdue(double now);
  journal::End rank_gone(double now);

 private:
  journal::End end(journal::End facts, double now);

  pid_t rank_;
  std::shared_ptr<const ProgressMemory> memory_;
  std::string attempt_;
  double began_ = 0;
  double deadline_ = 0;
  double look_at_ = 0;
  model::Reason<model::ProcessState> state_;
  std::optional<ProgressWatch> watch_;
};

}  // namespace rackproof::warden

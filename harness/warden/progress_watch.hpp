#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "contract/progress_page.hpp"
#include "harness/support/fd.hpp"
#include "reports/model/progress.hpp"

namespace rackproof::warden {

/// Memory in which another process tells how far it is: for one that is started later, which finds
/// it by its descriptor, or for one that this process is forked from.
class ProgressMemory {
 public:
  /// Without the memory, where the kernel gives none: then nobody tells anything.
  ProgressMemory();

  contract::ProgressPage* page() const { return page_.get(); }
  int descriptor() const { return file_.get(); }  ///< -1: none

 private:
  support::Fd file_;  ///< sealed: whoever has it can neither shrink nor grow it under us
  std::shared_ptr<contract::ProgressPage> page_;
};

/// Empties a page, for the next attempt that tells in it.
void clear(contract::ProgressPage& page);

/// What a page says, and for how long it has said so.
class ProgressWatch {
 public:
  /// Watches `memory` from `now` on.
  ProgressWatch(std::shared_ptr<const ProgressMemory> memory, double now);

  int descriptor() const { return memory_->descriptor(); }

  /// To be asked every kLookSeconds; looks no more often.
  void look(double now);
  double next_look() const;
  /// Keeps what is said now, before whoever says it is told to end, with what its process does; the
  /// first time counts. Nothing is kept without memory to say it in.
  void keep(double now, const model::Reason<model::ProcessState>& state);
  const std::optional<model::Progress>& kept() const { return kept_; }

 private:
  bool has_moved();
  double passed(double now) const;

  std::shared_ptr<const ProgressMemory> memory_;
  std::uint64_t entered_ = 0;
  std::uint64_t completed_ = 0;
  double looked_at_;
  double still_for_ = 0;
  bool is_kept_ = false;
  std::optional<model::Progress> kept_;
};

}  // namespace rackproof::warden

#include "harness/warden/standstill.hpp"

#include <algorithm>

#include "harness/warden/process_tree.hpp"

namespace rackproof::warden {

Standstill::Standstill(pid_t rank, const WardenSettings& settings)
    : rank_(rank),
      patience_(settings.patience_seconds),
      with_led_(settings.patient_with_led),
      leader_(parent_of(rank)) {}

bool Standstill::too_long(double now) {
  if (!matters() || now - looked_at_ < kLookSeconds) return false;
  // Whoever pauses the whole job pauses this process too: that time does not count.
  const double passed = std::min(now - looked_at_, 2 * kLookSeconds);
  looked_at_ = now;
  const bool still = process_state(rank_).id == model::ProcessState::kStopped;
  still_for_ = still ? still_for_ + passed : 0;
  if (still_for_ < patience_) return false;
  return !with_led_ || parent_of(rank_) != leader_;
}

}  // namespace rackproof::warden

#pragma once

#include <sys/types.h>

#include "harness/warden/warden.hpp"

namespace rackproof::warden {

/// How often a rank is looked at that may have been stopped.
inline constexpr double kLookSeconds = 1;

/// Whether a rank stands still, stopped by a signal, for longer than anybody waits for it.
class Standstill {
 public:
  Standstill(pid_t rank, const WardenSettings& settings);

  /// False when any standstill is borne: then nobody needs to ask.
  bool matters() const { return patience_ > 0; }
  /// To be asked every kLookSeconds; looks no more often.
  bool too_long(double now);

 private:
  pid_t rank_;
  double patience_;
  bool with_led_;
  pid_t leader_;  ///< who started the rank; 0: somebody who is not seen from here
  double looked_at_ = 0;
  double still_for_ = 0;
};

}  // namespace rackproof::warden

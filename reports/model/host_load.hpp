#pragma once

#include <optional>
#include <string>

namespace rackproof::model {

/// What ran on the processors of a host while an attempt was made there, in seconds of processor
/// time. Nothing was looked at when `processors` is 0 and `unknown` empty.
struct HostLoad {
  int processors = 0;  ///< that the run may use
  double seconds = 0;  ///< for how long it was looked
  double busy = 0;     ///< programs of anybody, without what interrupts took
  double own = 0;      ///< those of this run
  double stolen = 0;   ///< taken by the hypervisor
  /// For how long some program was ready and had no processor; nothing: the kernel does not say.
  std::optional<double> waited;
  std::string unknown;  ///< why nothing of this is known; empty: it is

  bool operator==(const HostLoad&) const = default;
};

/// The share of the processors' time that others took from the run: what the hypervisor stole, and
/// what programs of others used, but no larger a share than that of the time in which some program
/// waited: where processors are left idle nothing is taken. Without what may be the rounding of the
/// kernel's counters. 0 when it is not known or nobody looked; 1 when the amounts cannot be.
double taken_share(const HostLoad& load);

/// "other programs took 48 % of the time of its 2 processors".
std::string to_text(const HostLoad& load);

}  // namespace rackproof::model

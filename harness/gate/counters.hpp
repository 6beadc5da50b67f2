#pragma once

#include <optional>
#include <vector>

#include "harness/gate/look.hpp"
#include "harness/gate/reason.hpp"

namespace rackproof::gate {

/// By how much a counter grew from one look to the next: since the node, its driver or the part was
/// started when it counts less than before, or is of another start. Nothing when it was not there.
struct Growth {
  double count = 0;
  double seconds = 0;  ///< the time in which that was

  double per_second() const { return seconds > 0 ? count / seconds : 0; }
};

/// Counts that the driver and the kernel keep from the start of the node on.
Growth growth(double before, double now, double seconds_between, bool restarted, double uptime);

/// What counters that grew say against a node: each that is worth a word at all, with how much it
/// may grow. Needs a look before: of a first one nobody knows since when it counts.
std::vector<Finding> judge_counters(const Look& before, const Look& now);

/// Whether both looks are of one start of the node.
bool same_start(const Look& before, const Look& now);

}  // namespace rackproof::gate

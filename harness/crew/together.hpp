#pragma once

#include <string>
#include <vector>

#include "harness/crew/order.hpp"

namespace rackproof::crew {

/// Why these ranks cannot make one run: another version on one of them, two machines of one name,
/// or other suites, tables or benches installed. Names the host and what differs; empty when they
/// can. Rank 0 comes first and is what the others are compared with; benches only with those of a
/// host of the same architecture.
std::string why_not_together(const std::vector<Arrival>& arrivals);

}  // namespace rackproof::crew

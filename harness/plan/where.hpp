#pragma once

#include <string>

#include "harness/plan/plan.hpp"

namespace rackproof::plan {

/// Where a step runs, for people: "on 2 nodes", "over 72 devices in 18 groups"; empty where it has
/// no instance.
std::string where_text(const PlacedStep& step);

}  // namespace rackproof::plan

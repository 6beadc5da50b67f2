#pragma once

#include <string>

#include "harness/plan/plan.hpp"

namespace rackproof::plan {

/// A line for each step with something to start: what its suite expects it to take, or that nobody
/// says and at most its deadline; and the sum of both. Processes of a step run at the same time, so
/// a step takes as long on eight devices as on one. What is measured again is not in it.
std::string estimate_text(const Plan& plan);

}  // namespace rackproof::plan

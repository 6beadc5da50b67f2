#pragma once

#include <vector>

#include "harness/judge/context.hpp"

namespace rackproof::judge {

/// A finding for each process of a step that ended badly in one attempt and well in another. What
/// we cancelled ourselves, and what is not available here, counts for neither. In the order of
/// steps, then subjects.
std::vector<model::Finding> find_flaky(const model::Report& report);

}  // namespace rackproof::judge

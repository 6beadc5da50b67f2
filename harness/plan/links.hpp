#pragma once

#include <vector>

#include "harness/plan/plan.hpp"

namespace rackproof::plan {

/// The links that are measured among these ends, the lower one first, or each way. Those of every
/// two; with `rounds`, those of so many rounds of disjoint pairs (contract::Tournament), one round
/// after the other: who meets whom is known before anybody does.
std::vector<model::Subject> links_among(const std::vector<End>& ends, int rounds, bool both_ways);

}  // namespace rackproof::plan

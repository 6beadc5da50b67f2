#pragma once

#include <cstddef>
#include <vector>

namespace rackproof::stats {

/// Chances of each value of the Mann-Whitney statistic of n and m values without a shift: of all
/// ways to choose n out of n + m ranks, counted exactly. For n * m up to some ten thousand.
std::vector<double> mann_whitney_chances(std::size_t n, std::size_t m);

/// Chance that the statistic is at most `value`, by the same count; what was asked lately is kept.
double mann_whitney_at_most(std::size_t n, std::size_t m, double value);

}  // namespace rackproof::stats

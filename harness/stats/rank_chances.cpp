#include "harness/stats/rank_chances.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace rackproof::stats {

// Chances of each value of the Mann-Whitney statistic without a shift: of all ways to choose n out
// of n + m ranks, which are counted by adding the elements one after the other.
std::vector<double> mann_whitney_chances(std::size_t n, std::size_t m) {
  std::vector<double> ways(n * m + 1, 0);
  ways[0] = 1;
  double all = 1;
  for (std::size_t i = 1; i <= n; ++i) {
    // Multiplies the generating function by (1 - x^(m + i)) / (1 - x^i).
    for (std::size_t k = ways.size(); k-- > m + i;) ways[k] -= ways[k - m - i];
    for (std::size_t k = i; k < ways.size(); ++k) ways[k] += ways[k - i];
    all *= static_cast<double>(m + i) / static_cast<double>(i);
  }
  for (double& way : ways) way /= all;
  return ways;
}

double mann_whitney_at_most(std::size_t n, std::size_t m, double value) {
  if (value < 0) return 0;
  // A series is cut at many places into parts of the same few sizes.
  thread_local std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> known;
  const auto [entry, fresh] = known.try_emplace(std::minmax(n, m));
  std::vector<double>& sums = entry->second;
  if (fresh) {
    sums = mann_whitney_chances(n, m);
    for (std::size_t i = 1; i < sums.size(); ++i) sums[i] += sums[i - 1];
  }
  const auto index = static_cast<std::size_t>(std::floor(value));
  return index >= sums.size() ? 1 : std::min(1.0, sums[index]);
}

}  // namespace rackproof::stats

#include "benches/steps/overlap_numbers.hpp"

#include <algorithm>
#include <cmath>

#include "benches/kit/statistics.hpp"

namespace rackproof::steps {
namespace {

// The largest k for which the k smallest and k largest of n values may be left out: the probability
// that fewer than k + 1 of n fair coins fall on one side is at most 2.5 %.
std::size_t left_out(std::size_t n) {
  double probability = std::pow(0.5, static_cast<double>(n));
  double sum = 0;
  std::size_t k = 0;
  while (k < n / 2) {
    sum += probability;
    if (sum > 0.025) break;
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    ++k;
  }
  return k == 0 ? 0 : k - 1;
}

template <class Number>
Interval interval_of(const std::vector<Round>& rounds, Number&& number) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const Round& round : rounds) values.push_back(number(round));
  return median_interval(std::move(values));
}

}  // namespace

Interval median_interval(std::vector<double> values) {
  Interval interval;
  interval.value = kit::median(values);
  std::sort(values.begin(), values.end());
  const std::size_t k = left_out(values.size());
  interval.low = values[k];
  interval.high = values[values.size() - 1 - k];
  return interval;
}

double efficiency(const Round& round) {
  return (round.compute + round.message - round.together) / std::min(round.compute, round.message);
}

Overlap overlap_of(const std::vector<Round>& rounds) {
  Overlap overlap;
  overlap.efficiency = interval_of(rounds, efficiency);
  overlap.compute_tax =
      interval_of(rounds, [](const Round& one) { return one.compute_joint / one.compute - 1; });
  overlap.message_tax =
      interval_of(rounds, [](const Round& one) { return one.message_joint / one.message - 1; });
  overlap.exposed =
      interval_of(rounds, [](const Round& one) { return one.together - one.compute_joint; });
  return overlap;
}

}  // namespace rackproof::steps

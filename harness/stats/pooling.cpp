#include "harness/stats/pooling.hpp"

#include <algorithm>
#include <cmath>

namespace rackproof::stats {
namespace {

/// Mean of the estimates, each weighed by 1 / (its variance + between).
Estimate common(const std::vector<Estimate>& each, double between) {
  double weights = 0;
  double sum = 0;
  for (const Estimate& one : each) {
    const double weight = 1 / (one.variance + between);
    weights += weight;
    sum += weight * one.value;
  }
  return {sum / weights, 1 / weights};
}

double variance_between(const std::vector<Estimate>& each) {
  const double mean = common(each, 0).value;
  double weights = 0;
  double squares = 0;
  double excess = 0;
  for (const Estimate& one : each) {
    const double weight = 1 / one.variance;
    weights += weight;
    squares += weight * weight;
    excess += weight * (one.value - mean) * (one.value - mean);
  }
  const double freedom = static_cast<double>(each.size() - 1);
  const double scale = weights - squares / weights;
  return std::max(0.0, (excess - freedom) / scale) + std::sqrt(2 * freedom) / scale;
}

}  // namespace

std::vector<Estimate> pooled(const std::vector<Estimate>& each) {
  if (each.size() < 2) return each;
  const double between = variance_between(each);
  const Estimate mean = common(each, between);
  std::vector<Estimate> result;
  result.reserve(each.size());
  for (const Estimate& one : each) {
    const double own = between / (between + one.variance);
    // The second part is the error of the common mean.
    result.push_back({own * one.value + (1 - own) * mean.value,
                      own * one.variance + (1 - own) * (1 - own) * mean.variance});
  }
  return result;
}

}  // namespace rackproof::stats

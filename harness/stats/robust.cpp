#include "harness/stats/robust.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "harness/stats/series.hpp"

namespace rackproof::stats {

double median(std::vector<double> values) {
  require_series(values);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  // Halves first: the sum of two large values may overflow.
  return *std::max_element(values.begin(), middle) / 2 + *middle / 2;
}

double mean(const std::vector<double>& values) {
  require_series(values);
  double running = 0;
  double count = 0;
  for (const double value : values) {
    count += 1;
    running += value / count - running / count;
  }
  return running;
}

double median_absolute_deviation(const std::vector<double>& values) {
  const double centre = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double value : values) distances.push_back(std::abs(value - centre));
  return median(std::move(distances));
}

namespace {

/// Where the percentile stands among `n` values in order.
std::ptrdiff_t place_of(double p, std::size_t n) {
  // p * n first: p / 100 is not exact, and 0.07 * 100 would round up to rank 8.
  const auto rank = static_cast<std::ptrdiff_t>(std::ceil(p * static_cast<double>(n) / 100));
  return std::max<std::ptrdiff_t>(rank, 1) - 1;
}

}  // namespace

double nearest_rank(std::vector<double> values, double p) {
  require_series(values);
  if (!(p > 0 && p <= 100)) throw std::invalid_argument("a percentile must be in (0, 100]");
  const auto place = values.begin() + place_of(p, values.size());
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

Quartiles quartiles(std::vector<double> values) {
  require_series(values);
  const auto third = values.begin() + place_of(75, values.size());
  std::nth_element(values.begin(), third, values.end());
  const auto first = values.begin() + place_of(25, values.size());
  // What is up to the third is not above it now.
  if (first != third) std::nth_element(values.begin(), first, third);
  return {*first, *third};
}

Spread spread(const std::vector<double>& values, double floor) {
  if (!(floor > 0) || !std::isfinite(floor)) {
    throw std::invalid_argument("the floor of a deviation must be positive");
  }
  const double centre = median(values);
  return {centre, std::max(median_absolute_deviation(values), floor * std::abs(centre))};
}

double modified_z(double value, const Spread& among) {
  if (!std::isfinite(value)) throw std::invalid_argument("a score needs a finite value");
  const double distance = value - among.median;
  if (distance == 0) return 0;
  if (!(among.deviation > 0)) {
    return std::copysign(std::numeric_limits<double>::infinity(), distance);
  }
  return kNormalQuartile * distance / among.deviation;
}

}  // namespace rackproof::stats

#include "benches/kit/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace rackproof::kit {
namespace {

// False when the series holds a NaN: it has no order, so its statistics are NaN too.
bool ordered(const std::vector<double>& values) {
  if (values.empty()) throw std::invalid_argument("a statistic of no values");
  return std::none_of(values.begin(), values.end(), [](double v) { return std::isnan(v); });
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

}  // namespace

double smallest(const std::vector<double>& values) {
  return ordered(values) ? *std::min_element(values.begin(), values.end()) : kNan;
}

double largest(const std::vector<double>& values) {
  return ordered(values) ? *std::max_element(values.begin(), values.end()) : kNan;
}

double mean(const std::vector<double>& values) {
  if (!ordered(values)) return kNan;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  if (!ordered(values)) return kNan;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return std::midpoint(*std::max_element(values.begin(), middle), *middle);
}

double percentile(std::vector<double> values, double p) {
  if (!(p > 0 && p <= 100)) throw std::invalid_argument("a percentile is in (0, 100]");
  if (!ordered(values)) return kNan;
  const auto n = static_cast<double>(values.size());
  // p * n first: 100 * (n / 100) may land above n.
  const auto rank = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(p * n / 100), 1.0, n));
  const auto place = values.begin() + (rank - 1);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

std::vector<double> rates(double amount, const std::vector<double>& seconds) {
  if (seconds.empty()) throw std::invalid_argument("rates of no samples");
  std::vector<double> result;
  result.reserve(seconds.size());
  for (const double time : seconds) result.push_back(amount / time);
  return result;
}

}  // namespace rackproof::kit

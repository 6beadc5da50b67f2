#include "harness/stats/history.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/digamma.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "harness/stats/pooling.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

namespace bm = boost::math;
using InDouble = bm::policies::policy<bm::policies::promote_double<false>>;

/// How far a value lies from a centre, as a share of it; squares stay finite.
double share_off(double value, double centre) {
  constexpr double kFarthest = 1e12;
  return std::clamp(value / centre - 1, -kFarthest, kFarthest);
}

/// Logarithm of the standard deviation as a share of the mean, without its bias, for normal values.
Estimate log_spread(const std::vector<double>& values, double centre) {
  double squares = 0;
  for (const double value : values) {
    const double off = share_off(value, centre);
    squares += off * off;
  }
  const double freedom = static_cast<double>(values.size() - 1);
  const double spread = std::max(std::sqrt(squares / freedom), kHistoryFloor);
  const double bias = (bm::digamma(freedom / 2) - std::log(freedom / 2)) / 2;
  return {std::log(spread) - bias, bm::trigamma(freedom / 2) / 4};
}

double upper_tail(double t, double freedom) {
  return bm::cdf(bm::complement(bm::students_t_distribution<double, InDouble>(freedom), t));
}

}  // namespace

double own_variance_of_ratio(std::size_t earlier) {
  return 1 / (1 + std::numbers::pi / 2 / static_cast<double>(earlier));
}

bool is_comparable(const OwnHistory& series) {
  if (series.earlier.size() < kLeastHistory || !std::isfinite(series.now)) return false;
  for (const double value : series.earlier) {
    if (!std::isfinite(value)) return false;
  }
  return mean(series.earlier) != 0;
}

std::vector<Standing> stand_in_history(const std::vector<OwnHistory>& series) {
  std::vector<double> centres;
  std::vector<Estimate> spreads;
  for (const OwnHistory& one : series) {
    require_series(one.earlier);
    if (one.earlier.size() < kLeastHistory || !std::isfinite(one.now)) {
      throw std::invalid_argument("too few earlier values, or none now");
    }
    centres.push_back(mean(one.earlier));
    if (centres.back() == 0) throw std::invalid_argument("earlier values with a mean of zero");
    spreads.push_back(log_spread(one.earlier, centres.back()));
  }
  spreads = pooled(spreads);
  std::vector<Standing> result;
  for (std::size_t i = 0; i < series.size(); ++i) {
    const OwnHistory& one = series[i];
    const double n = static_cast<double>(one.earlier.size());
    const double unit = std::exp(spreads[i].value) * std::sqrt(1 + 1 / n);
    const double freedom = 1 / (2 * spreads[i].variance);
    Standing standing;
    const double off = std::copysign(1.0, centres[i]) * share_off(one.now, centres[i]);
    standing.deficit = one.more_is_better ? -off : off;
    standing.z = standing.deficit / unit;
    standing.p = upper_tail(standing.z, freedom);
    standing.p_better = upper_tail(-standing.z, freedom);
    result.push_back(standing);
  }
  return result;
}

}  // namespace rackproof::stats

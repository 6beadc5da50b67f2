#include "harness/stats/peer_tail.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace rackproof::stats {
namespace {

namespace bm = boost::math;
using TailInDouble = bm::policies::policy<bm::policies::promote_double<false>>;

double normal_tail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

}  // namespace

double straightened(double distance, double g) {
  return g > 1e-9 ? std::log1p(g * distance) / g : distance;
}

double student_tail(double z, double freedom) {
  // Beyond a million degrees Student's t is the normal distribution to all digits that count.
  if (freedom > 1e6) return normal_tail(z);
  return bm::cdf(bm::complement(bm::students_t_distribution<double, TailInDouble>(freedom), z));
}

double skewed_tail(double distance, double g, double freedom) {
  // By then the two agree, and the sum below would be too coarse.
  constexpr double kWellKnown = 200;
  if (g <= 1e-9 || freedom > kWellKnown) return student_tail(straightened(distance, g), freedom);
  // c = sqrt(chi-squared / freedom), over its logarithm: the density falls off so fast on both
  // sides that the sum at equal steps converges like no other rule.
  constexpr double kFirst = -15;
  constexpr double kLast = 3;
  constexpr double kStep = 0.05;
  const double half = freedom / 2;
  const double scale = std::log(2.0) + half * std::log(half) - std::lgamma(half);
  double sum = 0;
  for (double u = kFirst; u < kLast; u += kStep) {
    const double density = std::exp(scale + freedom * u - half * std::exp(2 * u));
    sum += density * normal_tail(straightened(distance * std::exp(u), g));
  }
  return std::min(1.0, sum * kStep);
}

}  // namespace rackproof::stats

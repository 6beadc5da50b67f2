#include "harness/stats/prediction.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <stdexcept>

namespace rackproof::stats {

double prediction_deviations(std::size_t n, double freedom, double tail) {
  if (n == 0 || !(freedom > 0) || !(tail > 0 && tail < 0.5)) {
    throw std::invalid_argument("a prediction limit takes values, freedom, and a tail below half");
  }
  const boost::math::students_t t(freedom);
  return boost::math::quantile(boost::math::complement(t, tail)) *
         std::sqrt(1 + 1 / static_cast<double>(n));
}

std::size_t values_for_prediction(double deviations, double tail, std::size_t most) {
  const auto suffices = [&](std::size_t n) {
    return prediction_deviations(n, static_cast<double>(n - 1), tail) <= deviations;
  };
  if (most < 2 || !suffices(most)) return 0;
  // It falls with n.
  std::size_t low = 2;
  std::size_t high = most;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (suffices(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace rackproof::stats

#include "harness/stats/margin.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>
#include <numeric>
#include <stdexcept>

#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::stats {
namespace {

constexpr std::size_t kLeastAgain = 2;

std::vector<double> logs(const std::vector<double>& values) {
  std::vector<double> out;
  for (const double value : values) out.push_back(std::log(value));
  return out;
}

/// Sum of the squares about the mean of each part, and their degrees of freedom.
struct Within {
  double squares = 0;
  double freedom = 0;

  void add(const std::vector<Retaken>& parts) {
    for (const Retaken& part : parts) {
      if (part.again.empty()) continue;
      const std::vector<double> values = logs(part.again);
      const double centre = mean(values);
      for (const double value : values) squares += (value - centre) * (value - centre);
      freedom += static_cast<double>(values.size() - 1);
    }
  }
};

/// Variance of a median of so many normal values, in units of that of one: pi / 2 times that of
/// their mean.
double of_median(std::size_t values) {
  return values == 0 ? 0 : std::numbers::pi / 2 / static_cast<double>(values);
}

}  // namespace

std::vector<double> medians_of_others(const std::vector<double>& values) {
  const std::size_t n = values.size();
  if (n < 2) throw std::invalid_argument("a value without others has no median of others");
  if (!std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); })) {
    throw std::invalid_argument("a value is not finite");
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> medians(n);
  for (std::size_t rank = 0; rank < n; ++rank) {
    // The value at a place among the others.
    const auto other = [&](std::size_t place) {
      return values[order[place < rank ? place : place + 1]];
    };
    const std::size_t others = n - 1;
    const double upper = other(others / 2);
    medians[order[rank]] = others % 2 == 1 ? upper : std::midpoint(other(others / 2 - 1), upper);
  }
  return medians;
}

double shortfall(double value, double reference, bool more_is_better) {
  const double share = value / reference - 1;
  return more_is_better ? -share : share;
}

std::optional<Confirmation> confirm(const Retest& set, std::size_t suspect, double reference,
                                    double margin) {
  const Retaken& tested = set.suspects.at(suspect);
  if (tested.again.size() < kLeastAgain) return std::nullopt;
  double change = 0;
  double change_variance = 0;  // in units of that of one measurement
  std::size_t controls = 0;
  for (const Retaken& control : set.controls) {
    if (control.again.size() < kLeastAgain) continue;
    change += mean(logs(control.again)) - std::log(control.before);
    change_variance += 1 + 1 / static_cast<double>(control.again.size());
    ++controls;
  }
  if (controls > 0) {
    const auto n = static_cast<double>(controls);
    change /= n;
    change_variance /= n * n;
  }
  Within within;
  within.add(set.controls);
  within.add(set.suspects);
  const double variance = std::max(within.squares / within.freedom, kSpreadFloor * kSpreadFloor);
  const double side = set.more_is_better ? 1 : -1;
  const double now = std::log(reference) + change;
  const double level = mean(logs(tested.again));
  const double error =
      std::sqrt(variance * (1 / static_cast<double>(tested.again.size()) + change_variance +
                            of_median(set.peers) + of_median(set.earlier)));
  const double allowed = std::abs(std::log1p(-side * margin));
  const double t = (side * (now - level) - allowed) / error;
  Confirmation result;
  result.deficit = shortfall(std::exp(level), std::exp(now), set.more_is_better);
  result.p = boost::math::cdf(boost::math::complement(boost::math::students_t(within.freedom), t));
  return result;
}

bool is_still_a_group(std::size_t parts, const std::vector<double>& deficits, double effect) {
  constexpr std::size_t kLeast = 2;
  const auto behind = static_cast<std::size_t>(std::count_if(
      deficits.begin(), deficits.end(), [&](double deficit) { return deficit >= effect; }));
  return parts - deficits.size() + behind >= kLeast;
}

}  // namespace rackproof::stats

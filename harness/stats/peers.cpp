#include "harness/stats/peers.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <span>
#include <stdexcept>
#include <utility>

#include "harness/stats/pooling.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

namespace bm = boost::math;
using InDouble = bm::policies::policy<bm::policies::promote_double<false>>;

/// Between which quantiles a spread and its skewness are taken. The farther out, the more they say
/// of the tail, and the fewer bad parts they bear.
struct Depth {
  double quantile;  ///< and 1 - quantile
  double deviate;   ///< standard normal deviate of it
  double cut;       ///< standard deviations; what lies farther out has no say
  /// Variances for n normal values, times n, by the asymptotic ones of quantiles: of the logarithm
  /// of the range, and of the skewness g.
  double variance_of_range;
  double variance_of_skewness;
};
constexpr Depth kOctiles = {0.875, 1.1503493803760079, 4, 0.836, 3.48};
constexpr Depth kFortieths = {0.975, 1.9599639845400545, 5, 0.905, 1.13};
constexpr std::size_t kEnoughForFortieths = 1000;

/// As above, of the logarithm of the median absolute deviation, and of the median.
constexpr double kVarianceOfDeviation = 1.36;
constexpr double kVarianceOfMedian = 1.571;

/// The skewness counts as larger than it looks by so many of its standard errors. Without it one of
/// few sets of 72 values with skewness -1 raises a false alarm twice as often as was asked for;
/// with a half, a fault among eight parts is found in two of three trials instead of nine of ten.
constexpr double kDoubt = 0.25;

/// One group of a set. `place` are indices of the set's values, by rising badness.
struct Group {
  std::size_t set = 0;
  bool minor = false;
  std::vector<std::size_t> place;
  std::vector<double> badness;  ///< relative to the median, ascending
  double centre = 0;
  double spread = 0;
  double own_variance = 1;
  double skewness = 0;
  double freedom = 0;
};

double middle_of(std::span<const double> sorted) {
  const std::size_t n = sorted.size();
  return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2 - 1] / 2 + sorted[n / 2] / 2;
}

/// The quantile by linear interpolation between values that stand for (i - 1/2) / n.
double quantile_of(std::span<const double> sorted, double q) {
  const double place = std::clamp(q * static_cast<double>(sorted.size()) - 0.5, 0.0,
                                  static_cast<double>(sorted.size() - 1));
  const auto low = static_cast<std::size_t>(place);
  const std::size_t high = std::min(low + 1, sorted.size() - 1);
  return std::lerp(sorted[low], sorted[high], place - static_cast<double>(low));
}

Group group_of(const LikeSet& set, std::span<const std::size_t> by_value) {
  Group group;
  group.own_variance = set.own_variance;
  group.place.assign(by_value.begin(), by_value.end());
  std::vector<double> sorted;
  sorted.reserve(by_value.size());
  for (const std::size_t i : by_value) sorted.push_back(set.values[i]);
  group.centre = middle_of(sorted);
  // A median of zero has no share: then the unit itself is the scale.
  const double scale = group.centre == 0 ? 1 : std::abs(group.centre);
  const double sign = set.more_is_better ? -1 : 1;
  group.badness.reserve(sorted.size());
  for (const double value : sorted) group.badness.push_back(sign * (value - group.centre) / scale);
  if (set.more_is_better) {
    std::reverse(group.badness.begin(), group.badness.end());
    std::reverse(group.place.begin(), group.place.end());
  }
  return group;
}

double deviation_of(const Group& group) {
  std::vector<double> distances;
  distances.reserve(group.badness.size());
  for (const double badness : group.badness) distances.push_back(std::abs(badness));
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  return std::max(*middle / kNormalQuartile, kSpreadFloor);
}

std::span<const double> core_of(const Group& group, double cut) {
  const auto begin = std::lower_bound(group.badness.begin(), group.badness.end(), -cut);
  const auto end = std::upper_bound(begin, group.badness.end(), cut);
  return {begin, end};
}

/// Shape of a group by itself: logarithm of half the range in standard normal deviates, and the
/// skewness.
struct Shape {
  Estimate log_range;
  Estimate skewness;
};

Shape shape_of(std::span<const double> core, const Depth& depth) {
  const double middle = middle_of(core);
  const double least = kSpreadFloor * depth.deviate;
  const double bad = std::max(quantile_of(core, depth.quantile) - middle, least);
  const double good = std::max(middle - quantile_of(core, 1 - depth.quantile), least);
  const double n = static_cast<double>(core.size());
  return {{std::log((bad + good) / 2 / depth.deviate), depth.variance_of_range / n},
          {std::log(bad / good) / depth.deviate, depth.variance_of_skewness / n}};
}

/// Distance in standard normal deviates of a part whose spread is skewed by g.
double straightened(double distance, double g) {
  return g > 1e-9 ? std::log1p(g * distance) / g : distance;
}

double normal_tail(double z) { return std::erfc(z / std::sqrt(2.0)) / 2; }

double student_tail(double z, double freedom) {
  // Beyond a million degrees Student's t is the normal distribution to all digits that count.
  if (freedom > 1e6) return normal_tail(z);
  return bm::cdf(bm::complement(bm::students_t_distribution<double, InDouble>(freedom), z));
}

/// Chance of a distance as large when the spread, in whose units it is told, is known with so many
/// degrees of freedom, and the parts are skewed by g: the normal tail of the straightened distance,
/// averaged over what the spread may be. Student's t of the straightened distance would do that
/// where g is 0. Elsewhere it makes of a spread that may be half as large a distance twice as
/// large, though the logarithm makes a constant of it: then no part among four could ever fail,
/// were it ten times slower than the others.
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

const Depth& depth_of(const Group& group) {
  return group.badness.size() < kEnoughForFortieths ? kOctiles : kFortieths;
}

void find_shapes(std::vector<Group>& groups) {
  std::vector<Estimate> deviations;
  for (const Group& group : groups) {
    deviations.push_back({std::log(deviation_of(group)),
                          kVarianceOfDeviation / static_cast<double>(group.badness.size())});
  }
  const std::vector<Estimate> common = pooled(deviations);
  std::vector<Estimate> ranges;
  std::vector<Estimate> skewness;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double deviation = std::exp(common[i].value + std::sqrt(common[i].variance));
    const Depth& depth = depth_of(groups[i]);
    const Shape shape = shape_of(core_of(groups[i], depth.cut * deviation), depth);
    ranges.push_back(shape.log_range);
    skewness.push_back(shape.skewness);
  }
  ranges = pooled(ranges);
  skewness = pooled(skewness);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double g = std::max(0.0, skewness[i].value + kDoubt * std::sqrt(skewness[i].variance)) /
                     groups[i].own_variance;
    const double reach = g * depth_of(groups[i]).deviate;
    const double per_range = reach > 1e-9 ? reach / std::sinh(reach) : 1;
    groups[i].skewness = g;
    groups[i].spread = std::max(std::exp(ranges[i].value) * per_range, kSpreadFloor);
    groups[i].freedom = 1 / (2 * ranges[i].variance);
  }
}

/// No tail is asked for a p-value that nobody rejects: it would take most of the time.
constexpr double kNear = 1.2;

void stand(const Group& group, double least_deficit, Standings& among) {
  const double n = static_cast<double>(group.badness.size());
  const double unit = group.spread * std::sqrt(1 + kVarianceOfMedian / n);
  for (std::size_t i = 0; i < group.badness.size(); ++i) {
    Standing& one = among.each[group.place[i]];
    const double distance = group.badness[i] / unit;
    one.deficit = group.badness[i];
    one.in_minor = group.minor;
    one.z = distance > 0 ? straightened(distance, group.skewness) : distance;
    if (std::abs(one.deficit) < least_deficit) continue;
    if (one.z > kNear) one.p = skewed_tail(distance, group.skewness, group.freedom);
    if (one.z < -kNear) one.p_better = student_tail(-one.z, group.freedom);
  }
}

}  // namespace

std::vector<Standings> stand_among_peers(const std::vector<LikeSet>& sets, double least_deficit) {
  std::vector<Standings> result(sets.size());
  std::vector<Group> groups;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const std::vector<double>& values = sets[i].values;
    require_series(values);
    if (values.size() < kLeastPeers) {
      throw std::invalid_argument("too few like values to name an outlier");
    }
    // Sorted with their places beside them: through places alone it would take twice as long.
    std::vector<std::pair<double, std::size_t>> placed(values.size());
    for (std::size_t place = 0; place < values.size(); ++place)
      placed[place] = {values[place], place};
    std::sort(placed.begin(), placed.end());
    std::vector<std::size_t> order;
    std::vector<double> sorted;
    order.reserve(values.size());
    sorted.reserve(values.size());
    for (const auto& [value, place] : placed) {
      sorted.push_back(value);
      order.push_back(place);
    }
    result[i].each.resize(values.size());
    result[i].split = split_in_two(sorted);
    const std::span<const std::size_t> all(order);
    if (!result[i].split) {
      groups.push_back(group_of(sets[i], all));
      groups.back().set = i;
      result[i].centre = groups.back().centre;
      continue;
    }
    const std::size_t below = result[i].split->below;
    for (const bool lower : {true, false}) {
      groups.push_back(group_of(sets[i], lower ? all.first(below) : all.subspan(below)));
      groups.back().set = i;
      groups.back().minor = lower == (2 * below < values.size());
      (groups.back().minor ? result[i].minor_centre : result[i].centre) = groups.back().centre;
    }
  }
  if (!groups.empty()) find_shapes(groups);
  for (const Group& group : groups) stand(group, least_deficit, result[group.set]);
  return result;
}

}  // namespace rackproof::stats

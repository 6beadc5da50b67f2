#include "harness/stats/peers.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "harness/stats/peer_tail.hpp"
#include "harness/stats/pooling.hpp"
#include "harness/stats/robust.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::stats {
namespace {

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

const Depth& depth_of(std::size_t n) { return n < kEnoughForFortieths ? kOctiles : kFortieths; }

/// As above, of the logarithm of the median absolute deviation, and of the median.
constexpr double kVarianceOfDeviation = 1.36;
constexpr double kVarianceOfMedian = 1.571;

/// The skewness counts as larger than it looks by so many of its standard errors. Without it one of
/// few sets of 72 values with skewness -1 raises a false alarm twice as often as was asked for;
/// with a half, a fault among eight parts is found in two of three trials instead of nine of ten.
constexpr double kSkewnessDoubt = 0.25;

/// What lies farther from a median, in its units, is as far as this: squares stay finite.
constexpr double kFarthest = 1e12;

/// What is known of the spread of healthy parts before any was measured: 1 % of the median, worth
/// so many degrees of freedom. Few values that happen to agree would else be a group.
constexpr double kUsualSpread = 0.01;
constexpr double kUsualFreedom = 4;

std::size_t least_in_pooled_part(std::size_t n) {
  return std::max<std::size_t>(2,
                               static_cast<std::size_t>(std::ceil(0.1 * static_cast<double>(n))));
}

double middle_of(const std::vector<double>& sorted, std::size_t first, std::size_t last) {
  const std::size_t n = last - first;
  const double* at = sorted.data() + first;
  return n % 2 == 1 ? at[n / 2] : at[n / 2 - 1] / 2 + at[n / 2] / 2;
}

/// A median of zero has no share: then the unit itself is the scale.
double scale_of(double centre) { return centre == 0 ? 1 : std::abs(centre); }

/// Parts that spread so much more than those of the other sets are not like them. Both are
/// logarithms.
bool is_unlike(const Estimate& own, const Estimate& common) {
  constexpr double kTimes = 3;
  return own.value > common.value + std::log(kTimes);
}

/// Pools those of these places, among themselves.
void pool_some(const std::vector<std::size_t>& places, std::vector<Estimate>& all) {
  std::vector<Estimate> some;
  for (const std::size_t place : places) some.push_back(all[place]);
  some = pooled(some);
  for (std::size_t i = 0; i < places.size(); ++i) all[places[i]] = some[i];
}

bool whole_numbers(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double value) { return value == std::round(value); });
}

/// No tail is asked for a p-value that nobody rejects: it would take most of the time.
constexpr double kNear = 1.2;

}  // namespace

/// The values of a group by rising badness: how much worse than its median each is, as a share.
class PeerTest::View {
 public:
  View(const Set& set, const Group& group) : set_(set), group_(group) {}

  std::size_t size() const { return group_.size(); }
  std::size_t place(std::size_t k) const { return set_.place[index(k)]; }

  double operator[](std::size_t k) const {
    const double off = (set_.sorted[index(k)] - group_.centre) / group_.scale;
    return std::clamp(set_.more_is_better ? -off : off, -kFarthest, kFarthest);
  }

  double deviation() const {
    std::vector<double> distances;
    distances.reserve(size());
    for (std::size_t k = 0; k < size(); ++k) distances.push_back(std::abs((*this)[k]));
    const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
    std::nth_element(distances.begin(), middle, distances.end());
    return std::max(*middle / kNormalQuartile, kSpreadFloor);
  }

  /// How many lie no farther than `reach` from the median.
  std::size_t count_within(double reach) const {
    return first_above(reach, true) - first_above(-reach, false);
  }

  /// Of the part that lies no farther than `reach` from the median. More than half of the values
  /// lie within the deviation().
  struct Shape {
    Estimate log_range;  ///< of half the range in standard normal deviates
    Estimate skewness;
  };
  Shape shape(const Depth& depth, double reach) const {
    const std::size_t first = first_above(-reach, false);
    const std::size_t last = first_above(reach, true);
    const double middle = quantile(first, last, 0.5);
    const double least = kSpreadFloor * depth.deviate;
    const double bad = std::max(quantile(first, last, depth.quantile) - middle, least);
    const double good = std::max(middle - quantile(first, last, 1 - depth.quantile), least);
    const double n = static_cast<double>(last - first);
    return {{std::log((bad + good) / 2 / depth.deviate), depth.variance_of_range / n},
            {std::log(bad / good) / depth.deviate, depth.variance_of_skewness / n}};
  }

 private:
  std::size_t index(std::size_t k) const {
    return set_.more_is_better ? group_.last - 1 - k : group_.first + k;
  }

  /// The first whose badness exceeds the bound, or, unless `beyond`, reaches it.
  std::size_t first_above(double bound, bool beyond) const {
    std::size_t low = 0;
    std::size_t high = size();
    while (low < high) {
      const std::size_t middle = low + (high - low) / 2;
      const double value = (*this)[middle];
      if (value < bound || (beyond && value == bound)) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /// The quantile by linear interpolation between values that stand for (i - 1/2) / n.
  double quantile(std::size_t first, std::size_t last, double q) const {
    const auto n = static_cast<double>(last - first);
    const double place = std::clamp(q * n - 0.5, 0.0, n - 1);
    const auto low = static_cast<std::size_t>(place);
    const std::size_t high = std::min(low + 1, last - first - 1);
    return std::lerp((*this)[first + low], (*this)[first + high], place - static_cast<double>(low));
  }

  const Set& set_;
  const Group& group_;
};

PeerTest::Group PeerTest::group_of(const Set& set, std::size_t first, std::size_t last) {
  Group group;
  group.first = first;
  group.last = last;
  group.centre = middle_of(set.sorted, first, last);
  group.scale = scale_of(group.centre);
  group.deviation = View(set, group).deviation();
  return group;
}

void PeerTest::divide(Set& set, const Split& split) {
  const std::size_t n = set.sorted.size();
  const std::size_t smaller = std::min(split.below, n - split.below);
  set.split = split;
  set.by_group = smaller >= least_in_mode(n) || 2 * smaller == n;
  if (!set.by_group) return;
  const bool lower_is_minor =
      2 * split.below == n ? set.more_is_better : split.below < n - split.below;
  set.groups = {group_of(set, 0, split.below), group_of(set, split.below, n)};
  set.groups[lower_is_minor ? 0 : 1].minor = true;
}

void PeerTest::take(std::size_t place, const LikeSet& like) {
  require_series(like.values);
  if (like.values.size() < kLeastPeers) {
    throw std::invalid_argument("too few like values to name an outlier");
  }
  Set& set = sets_.at(place);
  set.more_is_better = like.more_is_better;
  set.own_variance = like.own_variance;
  // Sorted with their places beside them: through places alone it would take twice as long.
  std::vector<std::pair<double, std::uint32_t>> placed(like.values.size());
  for (std::size_t i = 0; i < placed.size(); ++i) {
    placed[i] = {like.values[i], static_cast<std::uint32_t>(i)};
  }
  std::sort(placed.begin(), placed.end());
  set.sorted.reserve(placed.size());
  set.place.reserve(placed.size());
  for (const auto& [value, i] : placed) {
    set.sorted.push_back(value);
    set.place.push_back(i);
  }
  std::optional<Split> split = split_in_two(set.sorted);
  if (!split) {
    const double centre = middle_of(set.sorted, 0, set.sorted.size());
    split = split_at_gap(set.sorted, kGroupGap * scale_of(centre));
  }
  if (split) divide(set, *split);
  if (set.groups.empty()) set.groups = {group_of(set, 0, set.sorted.size())};
}

void PeerTest::divide_by_pooled_spread() {
  std::vector<std::pair<Set*, TwoParts>> found;
  std::vector<Estimate> spreads;
  for (Set& set : sets_) {
    if (set.sorted.empty() || set.split) continue;
    const std::size_t n = set.sorted.size();
    auto parts = best_two_parts(set.sorted, least_in_pooled_part(n));
    if (!parts) continue;
    const double scale = set.groups.front().scale;
    parts->apart /= scale;
    parts->within /= scale;
    found.emplace_back(&set, *parts);
    spreads.push_back({std::log(std::clamp(parts->within, kSpreadFloor, kFarthest)),
                       1 / (2 * static_cast<double>(n - 2))});
  }
  if (found.empty()) return;
  const std::vector<Estimate> common = pooled(spreads);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const auto& [set, parts] = found[i];
    const Estimate& spread = is_unlike(spreads[i], common[i]) ? spreads[i] : common[i];
    const double freedom = 1 / (2 * spread.variance);
    const double own = std::exp(spread.value);
    const double within =
        std::sqrt((freedom * own * own + kUsualFreedom * kUsualSpread * kUsualSpread) /
                  (freedom + kUsualFreedom));
    const double distance = parts.apart / within;
    constexpr double kBeyondOneHump = 8;
    constexpr double kAmongFew = 32;
    const double least = kBeyondOneHump + kAmongFew / static_cast<double>(set->sorted.size());
    if (distance > least) divide(*set, {parts.below, distance});
  }
}

void PeerTest::find_shapes() {
  std::vector<std::pair<const Set*, Group*>> groups;
  std::vector<Estimate> deviations;
  for (Set& set : sets_) {
    for (Group& group : set.groups) {
      if (group.size() < kLeastPeers) continue;
      groups.emplace_back(&set, &group);
      deviations.push_back(
          {std::log(group.deviation), kVarianceOfDeviation / static_cast<double>(group.size())});
    }
  }
  if (groups.empty()) return;
  const std::vector<Estimate> common = pooled(deviations);
  std::vector<Estimate> ranges;
  std::vector<Estimate> skewness;
  std::vector<std::size_t> alike;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& [set, group] = groups[i];
    const Depth& depth = depth_of(group->size());
    double deviation = std::exp(common[i].value + std::sqrt(common[i].variance));
    const View view(*set, *group);
    // The others may agree so well that hardly a value of this one lies within their spread: then
    // they say nothing of it.
    if (2 * view.count_within(depth.cut * deviation) > group->size()) {
      alike.push_back(i);
    } else {
      deviation = group->deviation;
    }
    const View::Shape shape = view.shape(depth, depth.cut * deviation);
    ranges.push_back(shape.log_range);
    skewness.push_back(shape.skewness);
  }
  const std::vector<Estimate> own_ranges = ranges;
  pool_some(alike, ranges);
  pool_some(alike, skewness);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const auto& [set, group] = groups[i];
    const double g =
        std::max(0.0, skewness[i].value + kSkewnessDoubt * std::sqrt(skewness[i].variance)) /
        set->own_variance;
    if (is_unlike(own_ranges[i], ranges[i])) ranges[i] = own_ranges[i];
    const double reach = g * depth_of(group->size()).deviate;
    const double per_range = reach > 1e-9 ? reach / std::sinh(reach) : 1;
    group->skewness = g;
    group->spread = std::max(std::exp(ranges[i].value) * per_range, kSpreadFloor);
    group->freedom = 1 / (2 * ranges[i].variance);
  }
}

void PeerTest::pool() {
  divide_by_pooled_spread();
  find_shapes();
}

Standings PeerTest::standings(std::size_t place, double least_deficit) const {
  const Set& set = sets_.at(place);
  Standings among;
  among.each.resize(set.sorted.size());
  among.split = set.split;
  among.by_group = set.by_group;
  for (const Group& group : set.groups) {
    if (!group.minor) among.centre = group.centre;
    const View view(set, group);
    const double n = static_cast<double>(group.size());
    const double unit = group.spread * std::sqrt(1 + kVarianceOfMedian / n);
    for (std::size_t k = 0; k < group.size(); ++k) {
      Standing& one = among.each[view.place(k)];
      one.deficit = view[k];
      one.in_minor = group.minor;
      if (!(unit > 0)) continue;  // too few to be compared
      const double distance = one.deficit / unit;
      one.z = distance > 0 ? straightened(distance, group.skewness) : distance;
      if (std::abs(one.deficit) < least_deficit) continue;
      if (one.z > kNear) one.p = skewed_tail(distance, group.skewness, group.freedom);
      if (one.z < -kNear) one.p_better = student_tail(-one.z, group.freedom);
    }
  }
  if (!set.split) return among;
  const std::size_t n = set.sorted.size();
  const std::size_t below = set.split->below;
  const double low = middle_of(set.sorted, 0, below);
  const double high = middle_of(set.sorted, below, n);
  const bool lower_is_minor = 2 * below == n ? set.more_is_better : below < n - below;
  among.minor_centre = lower_is_minor ? low : high;
  among.major_centre = lower_is_minor ? high : low;
  const double gap = set.sorted[below] - set.sorted[below - 1];
  if (gap != 1 || !whole_numbers(set.sorted)) {
    among.gap = std::min(gap / scale_of(among.major_centre), kFarthest);
  }
  for (std::size_t i = 0; i < n; ++i) {
    among.each[set.place[i]].in_minor = (i < below) == lower_is_minor;
  }
  return among;
}

const PeerTest::Group& PeerTest::largest_group(const Set& set) {
  return *std::max_element(set.groups.begin(), set.groups.end(),
                           [](const Group& a, const Group& b) { return a.size() < b.size(); });
}

std::vector<double> PeerTest::deviates(std::size_t place, double cut) const {
  const Set& set = sets_.at(place);
  std::vector<double> found;
  for (const Group& group : set.groups) {
    const View view(set, group);
    for (std::size_t k = 0; k < group.size() && group.spread > 0; ++k) {
      const double distance = view[k] / group.spread;
      const double z = distance > 0 ? straightened(distance, group.skewness) : distance;
      if (std::abs(z) <= cut) found.push_back(z);
    }
  }
  return found;
}

double PeerTest::resolution(std::size_t place) const {
  const Set& set = sets_.at(place);
  double least = 0;
  bool ties = false;
  for (std::size_t i = 1; i < set.sorted.size(); ++i) {
    const double step = set.sorted[i] - set.sorted[i - 1];
    ties = ties || step == 0;
    if (step > 0 && (least == 0 || step < least)) least = step;
  }
  return ties ? std::min(least / largest_group(set).scale, kFarthest) : 0;
}

double PeerTest::skewness(std::size_t place) const {
  return largest_group(sets_.at(place)).skewness;
}

double PeerTest::spread(std::size_t place) const { return largest_group(sets_.at(place)).spread; }

std::vector<Standings> stand_among_peers(const std::vector<LikeSet>& sets, double least_deficit) {
  PeerTest test(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) test.take(i, sets[i]);
  test.pool();
  std::vector<Standings> result;
  result.reserve(sets.size());
  for (std::size_t i = 0; i < sets.size(); ++i) {
    result.push_back(test.standings(i, least_deficit));
  }
  return result;
}

}  // namespace rackproof::stats

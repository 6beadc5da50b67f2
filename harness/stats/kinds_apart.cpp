#include "harness/stats/kinds_apart.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "harness/stats/peers.hpp"
#include "harness/stats/pooling.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::stats {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Of each part, or nothing where it is not known.
using PartValues = std::vector<double>;

PartValues known(const PartValues& values) {
  PartValues some;
  some.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(some),
               [](double value) { return !std::isnan(value); });
  return some;
}

/// How much better each part is than the median, as a share of that; nothing where that is 0.
std::optional<PartValues> shares_of(const PartValues& metric, bool more_is_better) {
  const PartValues some = known(metric);
  if (some.empty()) return std::nullopt;
  const double centre = median(some);
  if (centre == 0) return std::nullopt;
  const double unit = (more_is_better ? 1 : -1) * std::abs(centre);
  PartValues shares;
  shares.reserve(metric.size());
  for (const double value : metric) shares.push_back((value - centre) / unit);
  return shares;
}

/// Of clusters, by their numbers, those in the slower group.
using Slower = std::vector<bool>;

/// Clusters that are large enough to be held against the others.
class LikeGroups {
 public:
  explicit LikeGroups(const Clusters& clusters) : clusters_(clusters) {
    const std::size_t parts = clusters.of.size();
    const std::size_t least = std::max(kLeastInGroup, (parts + 9) / 10);
    for (const std::size_t size : clusters.sizes) is_group_.push_back(size >= least);
  }

  std::size_t count() const {
    return static_cast<std::size_t>(std::count(is_group_.begin(), is_group_.end(), true));
  }
  std::size_t clusters() const { return is_group_.size(); }
  bool has(std::size_t part) const { return is_group_[clusters_.of[part]]; }
  std::size_t of(std::size_t part) const { return clusters_.of[part]; }
  bool is_stray(std::size_t part) const { return clusters_.stray[part]; }

 private:
  const Clusters& clusters_;
  std::vector<bool> is_group_;
};

/// Values of the parts on either side.
struct TwoSides {
  PartValues slower;
  PartValues faster;
};

TwoSides two_sides(const LikeGroups& groups, const Slower& slower, const PartValues& values) {
  TwoSides sides;
  for (std::size_t part = 0; part < values.size(); ++part) {
    if (!groups.has(part) || std::isnan(values[part])) continue;
    (slower[groups.of(part)] ? sides.slower : sides.faster).push_back(values[part]);
  }
  return sides;
}

/// What a difference of two means has of the variance of one part.
double share_of_variance(const TwoSides& sides) {
  return 1 / static_cast<double>(sides.slower.size()) +
         1 / static_cast<double>(sides.faster.size());
}

/// Between the medians, as a share of the faster one's. Of values that are shares.
double gap_of(const TwoSides& sides) {
  const double fast = median(sides.faster);
  return (fast - median(sides.slower)) / std::max(1 + fast, kSpreadFloor);
}

/// Clusters joined to a slower and a faster group.
struct Cut {
  Slower slower;
  double gap = 0;    ///< as a share of the faster one's median
  double error = 0;  ///< what the gap has of the deviation of one part; of a mean, not a median
};

/// Each way to cut clusters in two between neighbours, by their medians. The values are shares.
std::vector<Cut> cuts_of(const LikeGroups& groups, const PartValues& shares) {
  std::vector<PartValues> of_cluster(groups.clusters());
  for (std::size_t part = 0; part < shares.size(); ++part) {
    if (groups.has(part) && !std::isnan(shares[part]))
      of_cluster[groups.of(part)].push_back(shares[part]);
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t cluster = 0; cluster < of_cluster.size(); ++cluster) {
    if (!of_cluster[cluster].empty()) order.emplace_back(median(of_cluster[cluster]), cluster);
  }
  std::sort(order.begin(), order.end());
  std::vector<Cut> cuts;
  Slower slower(groups.clusters(), false);
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    slower[order[i].second] = true;
    const TwoSides sides = two_sides(groups, slower, shares);
    cuts.push_back({slower, gap_of(sides), std::sqrt(share_of_variance(sides))});
  }
  return cuts;
}

/// The deviation of parts about the means of their clusters.
struct ClusterDeviation {
  double value = 0;
  double freedom = 0;
};

ClusterDeviation deviation_within(const LikeGroups& groups, const PartValues& values) {
  std::vector<double> sums(groups.clusters(), 0);
  std::vector<double> counts(groups.clusters(), 0);
  const auto counts_in = [&](std::size_t part) {
    return groups.has(part) && !groups.is_stray(part) && !std::isnan(values[part]);
  };
  for (std::size_t part = 0; part < values.size(); ++part) {
    if (!counts_in(part)) continue;
    sums[groups.of(part)] += values[part];
    ++counts[groups.of(part)];
  }
  ClusterDeviation deviation;
  double squares = 0;
  for (std::size_t part = 0; part < values.size(); ++part) {
    if (!counts_in(part)) continue;
    const double off = values[part] - sums[groups.of(part)] / counts[groups.of(part)];
    squares += off * off;
    ++deviation.freedom;
  }
  for (const double count : counts) deviation.freedom -= count > 0 ? 1 : 0;
  if (deviation.freedom < 1) return {};
  deviation.value = std::sqrt(squares / deviation.freedom);
  return deviation;
}

double student(double freedom, double above) {
  namespace bm = boost::math;
  return bm::quantile(bm::complement(bm::students_t(freedom), above));
}

/// What all metrics have in common.
struct CommonGap {
  PartValues offsets;
  std::optional<Cut> cut;
  double most = 0;
};

CommonGap common_of(const LikeGroups& groups, const std::vector<std::optional<PartValues>>& shares,
                    std::size_t parts) {
  CommonGap common;
  common.offsets.reserve(parts);
  PartValues some;
  for (std::size_t part = 0; part < parts; ++part) {
    some.clear();
    for (const auto& metric : shares) {
      if (metric && !std::isnan((*metric)[part])) some.push_back((*metric)[part]);
    }
    common.offsets.push_back(some.empty() ? kUnknown : median(some));
  }
  const ClusterDeviation deviation = deviation_within(groups, common.offsets);
  // The variance of a median is pi / 2 times that of a mean.
  const double error = deviation.freedom < 1
                           ? 0
                           : student(deviation.freedom, 1 - kGapConfidence) * deviation.value *
                                 std::sqrt(std::numbers::pi / 2);
  for (Cut& cut : cuts_of(groups, common.offsets)) {
    // Not of the offsets: each metric's median depends on the parts next to it, and draws those of
    // both groups towards each other.
    some.clear();
    for (const auto& metric : shares) {
      if (!metric) continue;
      const TwoSides sides = two_sides(groups, cut.slower, *metric);
      if (!sides.slower.empty() && !sides.faster.empty()) some.push_back(gap_of(sides));
    }
    if (some.empty()) continue;
    cut.gap = median(some);
    common.most = std::max(common.most, cut.gap + error * cut.error);
    if (!common.cut || cut.gap > common.cut->gap) common.cut = std::move(cut);
  }
  return common;
}

/// What the offsets of the parts leave of each metric.
class Rests {
 public:
  Rests(const LikeGroups& groups, const std::vector<std::optional<PartValues>>& shares,
        const PartValues& offsets)
      : groups_(groups), rests_(shares.size()), deviations_(shares.size()) {
    std::vector<Estimate> logs;
    std::vector<std::size_t> places;
    for (std::size_t m = 0; m < shares.size(); ++m) {
      if (!shares[m]) continue;
      ++metrics_;
      rests_[m] = *shares[m];
      for (std::size_t part = 0; part < offsets.size(); ++part) rests_[m][part] -= offsets[part];
      const ClusterDeviation own = deviation_within(groups, rests_[m]);
      if (!(own.value > 0)) continue;
      // That of the logarithm of a standard deviation.
      logs.push_back({std::log(own.value), 1 / (2 * own.freedom)});
      places.push_back(m);
    }
    if (logs.empty()) return;
    const std::vector<Estimate> all = pooled(logs);
    for (std::size_t i = 0; i < all.size(); ++i) {
      deviations_[places[i]] = {std::exp(all[i].value), 1 / (2 * all[i].variance)};
    }
  }

  /// Whether the gap of the metric, by this cut, is another than the common one.
  bool differ(std::size_t metric, const Cut& cut) const {
    const TwoSides sides = two_sides(groups_, cut.slower, rests_[metric]);
    const double off = std::abs(mean(sides.faster) - mean(sides.slower));
    const ClusterDeviation& deviation = deviations_[metric];
    if (deviation.freedom < 1) return off > 0;
    const double ways = std::exp2(static_cast<double>(groups_.count()) - 1) - 1;
    const double level = kOwnGapLevel / (2 * static_cast<double>(metrics_) * ways);
    return off > student(deviation.freedom, level) * deviation.value *
                     std::sqrt(share_of_variance(sides));
  }

 private:
  const LikeGroups& groups_;
  std::vector<PartValues> rests_;
  std::vector<ClusterDeviation> deviations_;
  std::size_t metrics_ = 0;
};

/// Nothing where the groups do not differ, or by no share of anything.
std::optional<KindsApart> described(const LikeGroups& groups, const Cut& cut,
                                    const PartValues& metric) {
  KindsApart apart;
  for (std::size_t part = 0; part < metric.size(); ++part) {
    apart.slower.push_back(groups.has(part) && cut.slower[groups.of(part)]);
  }
  TwoSides sides = two_sides(groups, cut.slower, metric);
  apart.slower_centre = median(std::move(sides.slower));
  apart.faster_centre = median(std::move(sides.faster));
  if (apart.faster_centre == 0 || apart.slower_centre == apart.faster_centre) return std::nullopt;
  apart.gap = std::abs(apart.slower_centre / apart.faster_centre - 1);
  apart.most = apart.gap;
  return apart;
}

bool has_both(const LikeGroups& groups, const Cut& cut, const PartValues& metric) {
  const TwoSides sides = two_sides(groups, cut.slower, metric);
  return !sides.slower.empty() && !sides.faster.empty();
}

}  // namespace

std::vector<std::optional<KindsApart>> kinds_apart(const KindTable& table,
                                                   const Clusters& clusters) {
  const auto& metrics = table.metrics();
  std::vector<std::optional<KindsApart>> all(metrics.size());
  const LikeGroups groups(clusters);
  if (groups.count() < 2) return all;
  std::vector<std::optional<PartValues>> shares;
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    shares.push_back(shares_of(metrics[m], table.more_is_better(m)));
  }
  const CommonGap common = common_of(groups, shares, clusters.of.size());
  const Rests rests(groups, shares, common.offsets);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    if (!shares[m]) continue;
    const std::vector<Cut> cuts = cuts_of(groups, *shares[m]);
    if (cuts.empty()) continue;
    const Cut& own = *std::max_element(cuts.begin(), cuts.end(),
                                       [](const Cut& a, const Cut& b) { return a.gap < b.gap; });
    if (!common.cut || !has_both(groups, *common.cut, metrics[m]) || rests.differ(m, own)) {
      all[m] = described(groups, own, metrics[m]);
    } else if (all[m] = described(groups, *common.cut, metrics[m]); all[m]) {
      all[m]->gap = common.cut->gap;
      all[m]->most = common.most;
      all[m]->common = true;
    }
  }
  return all;
}

}  // namespace rackproof::stats

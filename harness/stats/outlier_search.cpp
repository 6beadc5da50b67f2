#include "harness/stats/outlier_search.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>

#include "harness/stats/peers.hpp"

namespace rackproof::stats {
namespace {

/// Scores are cut here: JSON cannot say infinity.
constexpr double kLargestScore = 1e9;

/// Deviates that are looked at for heavy tails: what lies farther out is what is looked for.
constexpr double kReach = 4;
/// Natural logarithm of 20: so many times as likely is evidence.
constexpr double kEvidence = 3;
/// From so much against it on, a column does not go with the others.
constexpr double kDoubt = 1;
/// Tukey's g of a gamma distribution of skewness -1, by its octiles, and what its error adds.
constexpr double kMostSkewed = 0.4;
/// Steps wider than this share of the spread are seen in its quantiles.
constexpr double kCoarsest = 0.2;

bool is_coarse(double resolution, double spread) { return resolution > kCoarsest * spread; }

/// Logarithm of how much more likely a deviate is in normal noise than in Student's t with three
/// degrees of freedom that has the same octiles, both within kReach.
double favour_of_normal(double z) {
  constexpr double kScale = 1.1503493803760079 / 1.4226;  // octiles of the two
  constexpr double kWithin = 0.984;                       // of the t distribution within kReach
  constexpr double kRootThree = 1.7320508075688772;
  const double t = z / kScale;
  const double tail = 1 + t * t / 3;
  const double heavy = 2 / (std::numbers::pi * kRootThree * tail * tail) / kScale / kWithin;
  const double normal = std::exp(-z * z / 2) / std::sqrt(2 * std::numbers::pi);
  return std::log(normal / heavy);
}

double probability_of(const Standing& standing, BadSide bad) {
  if (bad != BadSide::kBoth) return standing.p;
  return std::min(1.0, 2 * std::min(standing.p, standing.p_better));
}

}  // namespace

bool promises_rate(Basis basis) { return basis == Basis::kTested || basis == Basis::kTogether; }

OutlierSearch::OutlierSearch(std::size_t metrics, const OutlierPolicy& policy)
    : policy_(policy), taken_(metrics), test_(metrics) {}

void OutlierSearch::take(std::size_t metric, const std::vector<double>& values, BadSide bad) {
  Taken& taken = taken_.at(metric);
  taken.bad = bad;
  const bool missing =
      std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
  for (std::size_t node = 0; node < values.size(); ++node) {
    if (std::isnan(values[node])) continue;
    taken.values.push_back(values[node]);
    if (missing) taken.nodes.push_back(static_cast<std::uint32_t>(node));
  }
  const std::size_t least = std::max(policy_.peer_minimum, kLeastPeers);
  if (taken.values.size() < least) return;
  taken.compared = true;
  test_.take(metric, {taken.values, bad != BadSide::kAbove, 1});
}

void OutlierSearch::pool() {
  test_.pool();
  evidence_ = 0;
  for (std::size_t metric = 0; metric < taken_.size(); ++metric) {
    Taken& taken = taken_[metric];
    if (!taken.compared) continue;
    taken.evidence = 0;
    for (const double z : test_.deviates(metric, kReach)) taken.evidence += favour_of_normal(z);
    taken.resolution = test_.resolution(metric);
    // What says nothing of noise says nothing of its tails.
    if (!is_coarse(taken.resolution, test_.spread(metric))) evidence_ += taken.evidence;
  }
}

Basis OutlierSearch::basis_of(std::size_t metric) const {
  const Taken& taken = taken_[metric];
  if (is_coarse(taken.resolution, test_.spread(metric))) return Basis::kCoarse;
  if (test_.skewness(metric) > kMostSkewed) return Basis::kSkewed;
  if (taken.evidence >= kEvidence) return Basis::kTested;
  if (taken.evidence < -kDoubt || evidence_ < -kEvidence) return Basis::kHeavyTails;
  return evidence_ >= kEvidence ? Basis::kTogether : Basis::kFew;
}

Column OutlierSearch::column(std::size_t metric) const {
  const Taken& taken = taken_.at(metric);
  Column column;
  column.present = taken.values.size();
  if (!taken.compared) return column;
  column.compared = true;
  column.basis = basis_of(metric);
  const Standings standings = test_.standings(metric, policy_.effect);
  column.median = standings.centre;
  if (standings.split) column.other_median = standings.minor_centre;
  const bool two_groups = standings.split && standings.gap >= policy_.effect;
  const bool more_is_better = taken.bad != BadSide::kAbove;
  const bool minor_is_slower = taken.bad == BadSide::kBoth ||
                               (standings.minor_centre < standings.major_centre) == more_is_better;
  for (std::size_t i = 0; i < taken.values.size(); ++i) {
    const Standing& standing = standings.each[i];
    if (two_groups && standing.in_minor == minor_is_slower) {
      column.slower.push_back(taken.node(i));
    }
    if (!(std::abs(standing.deficit) >= policy_.effect)) continue;
    const double probability = probability_of(standing, taken.bad);
    if (probability > policy_.discovery_rate) continue;
    const double z = std::clamp(standing.z, -kLargestScore, kLargestScore);
    Deviation one{
        taken.node(i),
        metric,
        taken.values[i],
        standings.by_group && standing.in_minor ? standings.minor_centre : standings.centre,
        more_is_better ? -z : z,
        probability,
        false,
        !promises_rate(column.basis),
        1};
    for (const double other : taken.values) {
      if (one.z < 0 ? other < one.value : other > one.value) ++one.rank;
    }
    column.suspects.push_back(one);
  }
  return column;
}

std::vector<Deviation> find_deviations(std::vector<Column>& columns, const OutlierPolicy& policy) {
  std::size_t compared = 0;
  std::vector<Deviation> suspects;
  for (Column& column : columns) {
    if (column.compared) compared += column.present;
    suspects.insert(suspects.end(), column.suspects.begin(), column.suspects.end());
    column.suspects = {};
  }
  std::sort(suspects.begin(), suspects.end(), [](const Deviation& a, const Deviation& b) {
    return std::tie(a.probability, a.node, a.metric) < std::tie(b.probability, b.node, b.metric);
  });
  // Both procedures look at the smallest probabilities only, and at how many there are in all: what
  // is no suspect is beyond their reach.
  std::size_t discoveries = 0;
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    const double share = static_cast<double>(i + 1) / static_cast<double>(compared);
    if (suspects[i].probability <= policy.discovery_rate * share) discoveries = i + 1;
  }
  suspects.resize(discoveries);
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    if (suspects[i].probability > policy.family_alpha / static_cast<double>(compared - i)) break;
    suspects[i].is_outlier = true;
  }
  return suspects;
}

}  // namespace rackproof::stats

#include "harness/judge/survey.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/stats/peers.hpp"

namespace rackproof::judge {
namespace {

/// Scores are cut here: JSON cannot say infinity.
constexpr double kLargestScore = 1e9;

double probability_of(const stats::Standing& standing, BadSide bad) {
  if (bad != BadSide::kBoth) return standing.p;
  return std::min(1.0, 2 * std::min(standing.p, standing.p_better));
}

}  // namespace

Column survey_column(const std::vector<double>& values, std::size_t metric, BadSide bad,
                     const SurveyPolicy& policy) {
  stats::LikeSet set;
  set.more_is_better = bad != BadSide::kAbove;
  std::vector<std::size_t> nodes;
  for (std::size_t node = 0; node < values.size(); ++node) {
    if (std::isnan(values[node])) continue;
    set.values.push_back(values[node]);
    nodes.push_back(node);
  }
  Column column;
  column.present = nodes.size();
  if (nodes.size() < std::max(policy.peer_minimum, stats::kLeastPeers)) return column;
  column.compared = true;
  const stats::Standings standings = stats::stand_among_peers({set}, policy.effect).front();
  column.median = standings.centre;
  if (standings.split) column.other_median = standings.minor_centre;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const stats::Standing& standing = standings.each[i];
    if (!(std::abs(standing.deficit) >= policy.effect)) continue;
    const double probability = probability_of(standing, bad);
    if (probability > policy.discovery_rate) continue;
    const double z = std::clamp(standing.z, -kLargestScore, kLargestScore);
    column.suspects.push_back({nodes[i], metric, set.values[i],
                               standing.in_minor ? standings.minor_centre : standings.centre,
                               set.more_is_better ? -z : z, probability, false});
  }
  return column;
}

std::vector<Deviation> survey(std::vector<Column>& columns, const SurveyPolicy& policy) {
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

}  // namespace rackproof::judge

#include "harness/judge/survey.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "harness/stats/outlier.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::judge {
namespace {

/// Makes the mean absolute deviation of normal values a standard deviation: sqrt(pi / 2).
constexpr double kNormalMeanDeviation = 1.2533141373155003;

/// Scores are cut here: JSON cannot say infinity.
constexpr double kLargestScore = 1e9;

stats::Sides sides_of(BadSide bad) {
  return bad == BadSide::kBoth ? stats::Sides::kTwo : stats::Sides::kOne;
}

/// How far on the bad side; negative on the good one.
double badness(double z, BadSide bad) {
  switch (bad) {
    case BadSide::kBelow:
      return -z;
    case BadSide::kAbove:
      return z;
    case BadSide::kBoth:
      return std::abs(z);
  }
  return std::abs(z);
}

double scale_of(const std::vector<double>& values, const stats::Spread& among) {
  if (among.deviation > 0) return among.deviation / stats::kNormalQuartile;
  double sum = 0;
  for (const double value : values) sum += std::abs(value - among.median);
  return kNormalMeanDeviation * sum / static_cast<double>(values.size());
}

/// Scores that a healthy node exceeds with a given probability, by number of peers and sides.
class Thresholds {
 public:
  explicit Thresholds(double probability) : probability_(probability) {}

  double at(std::size_t peers, BadSide bad) {
    const stats::Sides sides = sides_of(bad);
    const auto [place, fresh] = known_.try_emplace({peers, sides}, 0);
    if (fresh) place->second = stats::peer_threshold(probability_, 1, peers, sides);
    return place->second;
  }

 private:
  double probability_;
  std::map<std::pair<std::size_t, stats::Sides>, double> known_;
};

/// Leaves what Benjamini-Hochberg names. Its step-up rule asks for the largest k such that k
/// comparisons have a probability of at most k q / m: counting again and again, each time with the
/// count before as k, comes down to it, and needs no probability of the many that are healthy.
void keep_discoveries(std::vector<Deviation>& suspects, const std::vector<Column>& columns,
                      const std::vector<BadSide>& bad, double q, std::size_t compared) {
  std::size_t before = 0;
  do {
    before = suspects.size();
    if (before == 0) return;
    Thresholds thresholds(q * static_cast<double>(before) / static_cast<double>(compared));
    std::erase_if(suspects, [&](const Deviation& one) {
      const double least = thresholds.at(columns[one.metric].present, bad[one.metric]);
      return !(badness(one.z, bad[one.metric]) >= least);
    });
  } while (suspects.size() != before);
}

}  // namespace

Column survey_column(const std::vector<double>& values, std::size_t metric, BadSide bad,
                     const SurveyPolicy& policy) {
  std::vector<double> present;
  present.reserve(values.size());
  std::copy_if(values.begin(), values.end(), std::back_inserter(present),
               [](double value) { return !std::isnan(value); });
  Column column;
  column.present = present.size();
  if (present.size() < std::max(policy.peer_minimum, stats::kLeastPeers)) return column;
  column.compared = true;
  const stats::Spread among = stats::spread(present);
  column.median = among.median;
  column.spread = scale_of(present, among);
  if (!(column.spread > 0)) return column;  // all the same
  const double least =
      stats::peer_threshold(policy.discovery_rate, 1, present.size(), sides_of(bad));
  const double smallest = policy.effect * std::abs(column.median);
  for (std::size_t node = 0; node < values.size(); ++node) {
    const double distance = values[node] - column.median;
    // False for a NaN as well.
    if (!(std::abs(distance) >= smallest)) continue;
    const double z = std::clamp(distance / column.spread, -kLargestScore, kLargestScore);
    if (badness(z, bad) >= least) {
      column.suspects.push_back({node, metric, values[node], z, 1, false});
    }
  }
  return column;
}

std::vector<Deviation> survey(std::vector<Column>& columns, const std::vector<BadSide>& bad,
                              const SurveyPolicy& policy) {
  std::size_t compared = 0;
  std::vector<Deviation> suspects;
  for (Column& column : columns) {
    if (column.compared) compared += column.present;
    suspects.insert(suspects.end(), column.suspects.begin(), column.suspects.end());
    column.suspects = {};
  }
  keep_discoveries(suspects, columns, bad, policy.discovery_rate, compared);
  for (Deviation& one : suspects) {
    one.probability = stats::peer_probability(
        badness(one.z, bad[one.metric]), columns[one.metric].present, sides_of(bad[one.metric]));
  }
  std::sort(suspects.begin(), suspects.end(), [](const Deviation& a, const Deviation& b) {
    return std::tie(a.probability, a.node, a.metric) < std::tie(b.probability, b.node, b.metric);
  });
  for (std::size_t i = 0; i < suspects.size(); ++i) {
    if (suspects[i].probability > policy.family_alpha / static_cast<double>(compared - i)) break;
    suspects[i].is_outlier = true;
  }
  return suspects;
}

}  // namespace rackproof::judge

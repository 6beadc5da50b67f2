#include "harness/stats/kinds.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "harness/stats/modes.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::stats {
namespace {

using Parts = std::vector<std::size_t>;

/// A value counts as no farther from the median than so many deviations.
constexpr double kCutAt = 4;

/// Parts beyond these say nothing more of where the direction lies.
constexpr std::size_t kEnoughForDirection = 1000;
constexpr int kRounds = 60;

/// Between two parts the deviation is nothing.
constexpr std::size_t kLeastToSplit = 5;

/// What shows in one metric alone is that metric's: modes.hpp looks at each.
constexpr double kLeastMetricsInDirection = 2;

/// How far the means of a real split lie apart.
double threshold(std::size_t n) {
  constexpr double kBeyondOneHump = 5;
  constexpr double kAmongFew = 100;
  return kBeyondOneHump + kAmongFew / static_cast<double>(n);
}

/// Metrics of some parts, standardised: by metric, then part. Missing values are NaN.
using Standardised = std::vector<std::vector<double>>;

double middle_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Empty where the values say nothing.
std::vector<double> standardised(const std::vector<double>& metric, const Parts& parts) {
  std::vector<double> present;
  present.reserve(parts.size());
  for (const std::size_t part : parts) {
    if (!std::isnan(metric[part])) present.push_back(metric[part]);
  }
  if (2 * present.size() <= parts.size()) return {};
  const double centre = middle_of(present);
  for (double& value : present) value = std::abs(value - centre);
  const double deviation =
      std::max(middle_of(present) / kNormalQuartile, kSpreadFloor * std::abs(centre));
  if (!(deviation > 0) || !std::isfinite(deviation)) return {};
  std::vector<double> result;
  result.reserve(parts.size());
  double squares = 0;
  for (const std::size_t part : parts) {
    // A NaN stays one.
    result.push_back(std::clamp((metric[part] - centre) / deviation, -kCutAt, kCutAt));
    if (!std::isnan(result.back())) squares += result.back() * result.back();
  }
  // Where most values are equal the deviation is next to nothing, and the rest would outweigh all
  // other metrics.
  const double size = std::sqrt(squares / static_cast<double>(present.size()));
  for (double& value : result) value /= std::max(size, 1.0);
  return result;
}

double or_zero(double value) { return std::isnan(value) ? 0 : value; }

/// The principal direction of the unit vectors of parts, by the power method; a length of 1.
std::vector<double> direction_of(const Standardised& metrics, std::size_t parts) {
  const std::size_t stride = std::max<std::size_t>(1, parts / kEnoughForDirection);
  std::vector<std::vector<double>> rows;
  for (std::size_t part = 0; part < parts; part += stride) {
    std::vector<double> row;
    row.reserve(metrics.size());
    for (const auto& metric : metrics) row.push_back(or_zero(metric[part]));
    const double length = std::sqrt(std::inner_product(row.begin(), row.end(), row.begin(), 0.0));
    if (length == 0) continue;
    for (double& value : row) value /= length;
    rows.push_back(std::move(row));
  }
  // Of the same start for all tables; no direction that means something is across it.
  std::vector<double> direction(metrics.size());
  for (std::size_t m = 0; m < direction.size(); ++m) {
    direction[m] = 1 + 0.1 * std::sin(static_cast<double>(m + 1));
  }
  for (int round = 0; round < kRounds; ++round) {
    std::vector<double> next(direction.size(), 0);
    for (const auto& row : rows) {
      const double along = std::inner_product(row.begin(), row.end(), direction.begin(), 0.0);
      for (std::size_t m = 0; m < next.size(); ++m) next[m] += along * row[m];
    }
    const double length =
        std::sqrt(std::inner_product(next.begin(), next.end(), next.begin(), 0.0));
    if (!(length > 0)) break;
    for (double& value : next) value /= length;
    direction = std::move(next);
  }
  return direction;
}

/// How many metrics have a say in a direction: as many as would with equal weights.
double metrics_in(const std::vector<double>& direction) {
  double fourths = 0;
  for (const double weight : direction) fourths += weight * weight * weight * weight;
  return 1 / fourths;
}

/// Where a part lies along the direction, and how much of the direction its values cover.
struct Score {
  double value = 0;
  double covered = 0;
};

std::vector<Score> scores_of(const Standardised& metrics, const std::vector<double>& direction,
                             std::size_t parts) {
  std::vector<Score> scores(parts);
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const double weight = direction[m];
    for (std::size_t part = 0; part < parts; ++part) {
      const double value = metrics[m][part];
      if (std::isnan(value)) continue;
      scores[part].value += weight * value;
      scores[part].covered += weight * weight;
    }
  }
  for (Score& score : scores) {
    if (score.covered > 0) score.value /= score.covered;
  }
  return scores;
}

double deviation_of(const std::vector<double>& values) {
  const double centre = mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size()));
}

/// Where ascending scores split; nothing when nowhere.
std::optional<double> real_split(const std::vector<double>& sorted) {
  if (sorted.empty()) return std::nullopt;
  const std::size_t n = sorted.size();
  const std::size_t few = std::max<std::size_t>(1, n / 20);
  constexpr std::array<std::pair<std::size_t, std::size_t>, 4> kEnds = {
      {{0, 0}, {1, 0}, {0, 1}, {1, 1}}};
  for (const auto& [low, high] : kEnds) {
    const std::size_t left_out = (low + high) * few;
    if (n < kLeastToSplit + left_out) continue;
    const auto from = sorted.begin() + static_cast<std::ptrdiff_t>(low * few);
    const std::vector<double> rest(from, from + static_cast<std::ptrdiff_t>(n - left_out));
    const auto split = best_two_parts(rest, 1);
    if (split && split->apart > threshold(rest.size()) * split->within) {
      return std::midpoint(rest[split->below - 1], rest[split->below]);
    }
  }
  // Of three kinds the best two parts join two, whose distance then hides that of the third. No
  // gap between kinds is narrower than this, and to look at each would take the square of n.
  constexpr double kLeastGap = 0.5;
  const auto gap = split_at_gap(sorted, kLeastGap * deviation_of(sorted));
  if (!gap) return std::nullopt;
  return std::midpoint(sorted[gap->below - 1], sorted[gap->below]);
}

/// Parts on either side of a real split, and those of which nobody can tell.
struct Division {
  Parts lower;
  Parts upper;
  Parts unknown;
};

/// Nothing where the parts are of one kind.
std::optional<Division> divide(const std::vector<std::vector<double>>& metrics,
                               const Parts& parts) {
  if (parts.size() < kLeastToSplit) return std::nullopt;
  Standardised said;
  for (const auto& metric : metrics) {
    auto values = standardised(metric, parts);
    if (!values.empty()) said.push_back(std::move(values));
  }
  if (said.size() < kLeastMetricsOfKinds) return std::nullopt;
  const std::vector<double> direction = direction_of(said, parts.size());
  if (metrics_in(direction) < kLeastMetricsInDirection) return std::nullopt;
  const std::vector<Score> scores = scores_of(said, direction, parts.size());
  constexpr double kLeastCovered = 0.5;
  std::vector<double> sorted;
  for (const Score& score : scores) {
    if (score.covered >= kLeastCovered) sorted.push_back(score.value);
  }
  std::sort(sorted.begin(), sorted.end());
  const auto cut = real_split(sorted);
  if (!cut) return std::nullopt;
  Division division;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Parts& side = scores[i].covered < kLeastCovered ? division.unknown
                  : scores[i].value < *cut          ? division.lower
                                                    : division.upper;
    side.push_back(parts[i]);
  }
  return division;
}

/// Marks those of a cluster that lie far from it.
void find_strays(const std::vector<std::vector<double>>& metrics, const Parts& parts,
                 std::vector<bool>& stray) {
  std::vector<double> squares(parts.size(), 0);
  std::vector<double> counts(parts.size(), 0);
  for (const auto& metric : metrics) {
    const std::vector<double> values = standardised(metric, parts);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::isnan(values[i])) continue;
      squares[i] += values[i] * values[i];
      ++counts[i];
    }
  }
  for (std::size_t i = 0; i < parts.size(); ++i) squares[i] /= std::max(counts[i], 1.0);
  constexpr double kTimesAsFar = 2;
  const double usual = median(squares);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    stray[parts[i]] = squares[i] > kTimesAsFar * kTimesAsFar * usual;
  }
}

}  // namespace

bool Clusters::is_kind(std::size_t cluster) const {
  return sizes[cluster] >= least_in_mode(of.size());
}

bool Clusters::any_kind() const {
  if (sizes.size() < 2) return false;
  for (std::size_t cluster = 0; cluster < sizes.size(); ++cluster) {
    if (is_kind(cluster)) return true;
  }
  return false;
}

void KindTable::add(std::vector<double> values, bool more_is_better) {
  if (values.size() != parts_) throw std::invalid_argument("a metric of another number of parts");
  metrics_.push_back(std::move(values));
  more_is_better_.push_back(more_is_better);
}

Clusters KindTable::clusters() const {
  Clusters clusters{std::vector<std::size_t>(parts_, 0), {}, std::vector<bool>(parts_, false)};
  std::vector<Parts> left(1, Parts(parts_));
  std::iota(left.front().begin(), left.front().end(), 0);
  const auto settle = [&](const Parts& parts) {
    if (parts.size() < parts_) find_strays(metrics_, parts, clusters.stray);
    for (const std::size_t part : parts) clusters.of[part] = clusters.sizes.size();
    clusters.sizes.push_back(parts.size());
  };
  while (!left.empty()) {
    const Parts parts = std::move(left.back());
    left.pop_back();
    auto division = parts_ < 2 * kLeastInMode ? std::nullopt : divide(metrics_, parts);
    if (!division) {
      settle(parts);
      continue;
    }
    for (const std::size_t part : division->unknown) settle({part});
    left.push_back(std::move(division->upper));
    left.push_back(std::move(division->lower));
  }
  return clusters;
}

}  // namespace rackproof::stats

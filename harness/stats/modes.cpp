#include "harness/stats/modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

namespace rackproof::stats {
namespace {

/// The split of ascending values that leaves the least squares within its parts.
Split best_split(std::span<const double> sorted) {
  const double count = static_cast<double>(sorted.size());
  const double centre = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
  double squares = 0;
  for (const double value : sorted) squares += (value - centre) * (value - centre);

  double sum = 0;  // of the distances from the centre in the lower part
  double most_between = 0;
  Split best;
  for (std::size_t below = 1; below < sorted.size(); ++below) {
    sum += sorted[below - 1] - centre;
    if (sorted[below] == sorted[below - 1]) continue;
    const double low = static_cast<double>(below);
    const double between = sum * sum * count / (low * (count - low));
    if (between <= most_between) continue;
    most_between = between;
    const double within = std::sqrt(std::max(squares - between, 0.0) / (count - 2));
    const double apart = -sum * count / (low * (count - low));
    best = {below, within > 0 ? apart / within : std::numeric_limits<double>::infinity()};
  }
  return best;
}

/// Squares of these neither overflow nor vanish.
constexpr double kLargestPlain = 1e100;

bool is_plain(const std::vector<double>& sorted) {
  const double largest = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
  return largest == 0 || (largest < kLargestPlain && largest > 1 / kLargestPlain);
}

std::vector<double> scaled(const std::vector<double>& sorted) {
  const double largest = std::max(std::abs(sorted.front()), std::abs(sorted.back()));
  std::vector<double> out;
  out.reserve(sorted.size());
  // In two steps: the inverse of the smallest doubles is beyond the largest.
  const double step = std::sqrt(largest);
  for (const double value : sorted) out.push_back(value / step / step);
  return out;
}

/// So often a few values at an end are set aside: a series with more strays is no clear case.
constexpr int kMostStrays = 20;

}  // namespace

std::size_t least_in_mode(std::size_t count) {
  return std::max(kLeastInMode, static_cast<std::size_t>(
                                    std::ceil(kLeastShareOfMode * static_cast<double>(count))));
}

std::optional<Split> split_in_two(const std::vector<double>& sorted) {
  if (sorted.size() < 2 * kLeastInMode) return std::nullopt;
  if (!is_plain(sorted)) return split_in_two(scaled(sorted));
  const std::size_t least = least_in_mode(sorted.size());
  std::span<const double> rest(sorted);
  std::size_t set_aside = 0;
  for (int round = 0; round < kMostStrays && rest.size() >= 2 * least; ++round) {
    Split best = best_split(rest);
    if (best.below == 0) return std::nullopt;
    constexpr double kBeyondOneHump = 3;
    constexpr double kAmongFew = 100;
    if (!(best.distance > kBeyondOneHump + kAmongFew / static_cast<double>(rest.size()))) {
      return std::nullopt;
    }
    const std::size_t above = rest.size() - best.below;
    if (best.below >= least && above >= least) {
      best.below += set_aside;
      return best;
    }
    // Too few for a group, and too far for the other: outliers. The rest may still be two groups.
    if (best.below < above) {
      rest = rest.subspan(best.below);
      set_aside += best.below;
    } else {
      rest = rest.first(best.below);
    }
  }
  return std::nullopt;
}

std::optional<Split> split_at_gap(const std::vector<double>& sorted, double least_gap) {
  const std::size_t least = least_in_mode(sorted.size());
  Split best;
  for (std::size_t below = least; below + least <= sorted.size(); ++below) {
    const double gap = sorted[below] - sorted[below - 1];
    if (!(gap > 0 && gap >= least_gap) || std::isinf(gap)) continue;
    // In units of the gap, so that no square overflows.
    double squares = 0;
    for (const std::size_t first : {below - least, below}) {
      double sum = 0;
      for (std::size_t i = first; i < first + least; ++i) sum += (sorted[i] - sorted[below]) / gap;
      const double mean = sum / static_cast<double>(least);
      for (std::size_t i = first; i < first + least; ++i) {
        const double off = (sorted[i] - sorted[below]) / gap - mean;
        squares += off * off;
      }
    }
    const double within = std::sqrt(squares / static_cast<double>(2 * least - 2));
    const double distance = within > 0 ? 1 / within : std::numeric_limits<double>::infinity();
    constexpr double kBeyondOneHump = 3;
    constexpr double kAmongFew = 100;
    if (!(distance > kBeyondOneHump + kAmongFew / static_cast<double>(2 * least))) continue;
    if (distance > best.distance) best = {below, distance};
  }
  if (best.below == 0) return std::nullopt;
  return best;
}

std::optional<TwoParts> best_two_parts(const std::vector<double>& sorted, std::size_t least) {
  const std::size_t n = sorted.size();
  if (least == 0 || n < 2 * least || n < 3) return std::nullopt;
  if (!is_plain(sorted)) return std::nullopt;
  const double count = static_cast<double>(n);
  const double centre = std::accumulate(sorted.begin(), sorted.end(), 0.0) / count;
  double squares = 0;
  for (const double value : sorted) squares += (value - centre) * (value - centre);
  double sum = 0;
  double most_between = 0;
  std::optional<TwoParts> best;
  for (std::size_t below = 1; below + least <= n; ++below) {
    sum += sorted[below - 1] - centre;
    if (below < least || sorted[below] == sorted[below - 1]) continue;
    const double low = static_cast<double>(below);
    const double between = sum * sum * count / (low * (count - low));
    if (!(between > most_between)) continue;
    most_between = between;
    best = TwoParts{below, -sum * count / (low * (count - low)),
                    std::sqrt(std::max(squares - between, 0.0) / (count - 2))};
  }
  return best;
}

}  // namespace rackproof::stats

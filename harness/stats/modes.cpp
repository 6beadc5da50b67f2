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

/// So often a few values at an end are set aside: a series with more strays is no clear case.
constexpr int kMostStrays = 20;

}  // namespace

std::optional<Split> split_in_two(const std::vector<double>& sorted) {
  const auto least = std::max(
      kLeastInMode,
      static_cast<std::size_t>(std::ceil(kLeastShareOfMode * static_cast<double>(sorted.size()))));
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

}  // namespace rackproof::stats

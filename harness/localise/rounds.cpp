#include "harness/localise/rounds.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/localise/odd_cycles.hpp"
#include "harness/stats/series.hpp"

namespace rackproof::localise {
namespace {

/// Fewer have no cycle of odd length among an even number of members.
constexpr int kLeastRounds = 3;

/// The standard normal deviate that is exceeded with this probability.
double deviate(double tail) {
  double low = -40;
  double high = 40;
  for (int step = 0; step < 80; ++step) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) / 2 > tail ? low : high) = middle;
  }
  return low;
}

}  // namespace

int rounds_needed(const Wanted& wanted) {
  stats::require_share(wanted.deficit, "a deficit");
  stats::require_share(wanted.noise, "a noise");
  stats::require_share(wanted.family_alpha, "the chance of an error");
  stats::require_share(wanted.power, "a power");
  if (wanted.parts == 0) throw std::invalid_argument("no part to compare");
  const double reach =
      deviate(wanted.family_alpha / static_cast<double>(wanted.parts)) + deviate(1 - wanted.power);
  const double root = reach * kErrorOfMedian * wanted.noise / wanted.deficit;
  constexpr double kMost = 1e9;
  return std::max(kLeastRounds, static_cast<int>(std::min(std::ceil(root * root), kMost)));
}

bool is_told(const contract::Tournament& tournament) {
  std::vector<std::pair<int, int>> pairs;
  for (int round = 0; round < tournament.rounds(); ++round) {
    const auto played = tournament.pairs(round);
    pairs.insert(pairs.end(), played.begin(), played.end());
  }
  const std::vector<bool> told =
      in_odd_component(static_cast<std::size_t>(tournament.members()), pairs);
  return std::find(told.begin(), told.end(), false) == told.end();
}

}  // namespace rackproof::localise

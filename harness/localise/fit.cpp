#include "harness/localise/fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "harness/localise/odd_cycles.hpp"
#include "harness/localise/rounds.hpp"
#include "harness/stats/peers.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::localise {
namespace {

constexpr int kMostSweeps = 50;
/// Less than this share is no fall: medians of even numbers move a little for ever.
constexpr double kLeastFall = 1e-4;
/// What an effect was made of is 0, up to rounding.
constexpr double kNothing = 1e-12;

class Polish {
 public:
  Polish(const Network& network, const std::vector<double>& explained) : network_(network) {
    fit_.level.assign(network.kinds(), 0);
    fit_.effect.assign(network.candidates().size(), 0);
    for (std::size_t l = 0; l < network.links().size(); ++l) {
      fit_.residual.push_back(network.links()[l].log - (explained.empty() ? 0 : explained[l]));
    }
    for (std::size_t c = 0; c < network.candidates().size(); ++c) {
      const Candidate& candidate = network.candidates()[c];
      if (candidate.members.empty() || candidate.evidence.empty()) continue;
      by_factor_[candidate.parts.front().factor].push_back(c);
    }
    move_levels();
    fit_.sum = sum();
  }

  Fit take() {
    Fit best = fit_;
    while (fit_.sweeps < kMostSweeps) {
      ++fit_.sweeps;
      for (const auto& [factor, candidates] : by_factor_) move_effects(candidates);
      move_levels();
      fit_.sum = sum();
      const bool fell = fit_.sum < best.sum * (1 - kLeastFall);
      if (fit_.sum < best.sum) best = fit_;
      if (!fell) break;
    }
    best.sweeps = fit_.sweeps;
    finish(best);
    return best;
  }

 private:
  double sum() const {
    double all = 0;
    for (const double one : fit_.residual) all += std::abs(one);
    return all;
  }

  double median_over(const std::vector<std::uint32_t>& links) {
    std::vector<double> values;
    values.reserve(links.size());
    for (const std::uint32_t l : links) values.push_back(fit_.residual[l]);
    return stats::median(std::move(values));
  }

  void move_levels() {
    for (std::size_t kind = 0; kind < network_.kinds(); ++kind) {
      const auto& links = network_.links_of_kind(kind);
      const double step = median_over(links);
      fit_.level[kind] += step;
      for (const std::uint32_t l : links) fit_.residual[l] -= step;
    }
  }

  void add(std::size_t candidate, double step) {
    fit_.effect[candidate] += step;
    for (const std::uint32_t l : network_.candidates()[candidate].evidence) {
      fit_.residual[l] -= step;
    }
  }

  void move_effects(const std::vector<std::size_t>& candidates) {
    std::vector<double> effects;
    for (const std::size_t c : candidates) {
      add(c, median_over(network_.candidates()[c].evidence));
      effects.push_back(fit_.effect[c]);
    }
    // What all have in common belongs to the levels.
    const double common = stats::median(std::move(effects));
    for (const std::size_t c : candidates) add(c, -common);
  }

  void finish(Fit& fit) const {
    fit.spread = spread_of(fit.residual);
    fit.error.assign(fit.effect.size(), std::numeric_limits<double>::infinity());
    fit.of_member.assign(network_.members().size(), 0);
    fit.of_end.assign(network_.members().size(), 0);
    for (const auto& [factor, candidates] : by_factor_) {
      for (const std::size_t c : candidates) {
        const Candidate& candidate = network_.candidates()[c];
        const auto values = static_cast<double>(candidate.evidence.size());
        fit.error[c] = kErrorOfMedian * fit.spread / std::sqrt(values);
        const bool fine = candidate.parts.back().factor >= Factor::kTray;
        for (const std::uint32_t m : candidate.members) {
          fit.of_member[m] += fit.effect[c];
          if (fine) fit.of_end[m] += fit.effect[c];
        }
      }
    }
    std::vector<std::pair<int, int>> pairs;
    for (const Link& link : network_.links()) {
      pairs.emplace_back(static_cast<int>(link.low), static_cast<int>(link.high));
    }
    fit.told = in_odd_component(network_.members().size(), pairs);
  }

  const Network& network_;
  std::map<Factor, std::vector<std::size_t>> by_factor_;
  Fit fit_;
};

}  // namespace

double spread_of(const std::vector<double>& residuals) {
  std::vector<double> sizes;
  for (const double one : residuals) {
    if (std::abs(one) > kNothing) sizes.push_back(std::abs(one));
  }
  if (sizes.empty()) return stats::kSpreadFloor;
  return std::max(stats::median(std::move(sizes)) / stats::kNormalQuartile, stats::kSpreadFloor);
}

Fit fit(const Network& network, const std::vector<double>& explained) {
  if (network.links().empty()) {
    Fit none;
    none.effect.assign(network.candidates().size(), 0);
    none.error.assign(network.candidates().size(), std::numeric_limits<double>::infinity());
    none.of_member.assign(network.members().size(), 0);
    none.of_end.assign(network.members().size(), 0);
    none.told.assign(network.members().size(), false);
    none.spread = stats::kSpreadFloor;
    return none;
  }
  return Polish(network, explained).take();
}

}  // namespace rackproof::localise

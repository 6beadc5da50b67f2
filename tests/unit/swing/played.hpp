#pragma once

#include <cmath>
#include <numbers>
#include <vector>

#include "benches/swing/collect.hpp"
#include "benches/swing/series.hpp"
#include "benches/swing/shape.hpp"

/// Runs that nobody ran, with numbers known beforehand.
namespace rackproof::swing::played {

inline constexpr std::size_t kBeats = 20;

inline Run run(double frequency) {
  Run run;
  run.frequency = frequency;
  run.seconds = static_cast<double>(kBeats + 1) / frequency;
  run.swinging = 4;
  return run;
}

/// A square wave of duty 1/2 between two levels, in the bins of a run, `phase` periods late.
inline std::vector<double> square(double low, double high, double phase) {
  std::vector<double> bins;
  for (std::size_t i = 0; i < kBeats * kBinsOfBeat; ++i) {
    const double at = (static_cast<double>(i) + 0.5) / kBinsOfBeat - phase;
    bins.push_back(at - std::floor(at) < 0.5 ? high : low);
  }
  return bins;
}

/// A run of as many ranks as phases (in periods). Rank r is r milliseconds late.
inline Collected collected(double frequency, const std::vector<double>& phases) {
  Collected all;
  all.load.resize(kBeats * kBinsOfBeat);
  for (std::size_t rank = 0; rank < phases.size(); ++rank) {
    std::vector<double> rises;
    for (std::size_t beat = 0; beat < kBeats; ++beat) {
      rises.push_back(static_cast<double>(beat) / frequency + static_cast<double>(rank) * 1e-3);
    }
    all.rises.push_back(rises);
    all.falls.push_back(rises);
    all.phases.push_back(-2 * std::numbers::pi * phases[rank]);
    all.came.emplace_back();
    const auto load = square(0, 7, phases[rank]);
    for (std::size_t bin = 0; bin < load.size(); ++bin) all.load[bin] += load[bin];
  }
  all.compared = 100;
  all.bound = 2e-6;
  all.drifted = 1e-7;
  return all;
}

/// Power of two hosts in step.
inline TotalPower power(double low, double high, double interval) {
  return {square(low, high, 0), interval, {0.1, 0.1}, 0.004};
}

}  // namespace rackproof::swing::played

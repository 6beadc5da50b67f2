#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace rackproof::swing {

/// An energy counter as it was read; it only rises.
struct EnergyReading {
  double at = 0;  ///< seconds
  double joules = 0;
};

/// The first reading of each value of the counter: what lies between two of them is one update.
std::vector<EnergyReading> updates_of(std::span<const EnergyReading> readings);

/// The median distance of updates, in seconds; none for fewer than three of them.
std::optional<double> update_interval(std::span<const EnergyReading> updates);

/// Whether a counter that moves each `interval` seconds shows a frequency: at four updates a period
/// or more. Each update is a mean over its interval, which takes at most a tenth off the amplitude
/// then (1 - sinc(1/4)).
bool resolves(double interval, double frequency);

/// Mean power in watts of `count` bins of `width` seconds from `start`: the energy, a line between
/// two updates, at the end of a bin less that at its beginning. None where updates do not reach
/// over all of them.
std::optional<std::vector<double>> power_of(std::span<const EnergyReading> updates, double start,
                                            double width, std::int64_t count);

/// One beat out of many: the median over the beats of each of its `bins`. The series is whole
/// beats.
std::vector<double> folded(std::span<const double> series, std::int64_t bins);

/// Power while the load is on and while it is off.
struct Levels {
  double low = 0;
  double high = 0;

  double swing() const { return high - low; }
};
/// Levels of a folded beat that begins with its pulse: medians over the middle half of each part,
/// where the edges are over. None where a part has no such bin.
std::optional<Levels> levels_of(std::span<const double> beat, double duty);

enum class Edge { kRise, kFall };
/// How long power takes over eight tenths of the swing, as it looks: the median over the edges at
/// which it gets there within `patience` seconds. None where no edge does.
std::optional<double> edge_seconds(std::span<const EnergyReading> updates,
                                   std::span<const double> edges, const Levels& levels, Edge edge,
                                   double patience);

/// How long power takes from a tenth to nine tenths of the swing, the median over the edges at
/// which it gets there within `patience` seconds. None where no edge does, and where that is less
/// than two updates of the counter, which it cannot tell from nothing.
std::optional<double> rise_seconds(std::span<const EnergyReading> updates,
                                   std::span<const double> edges, const Levels& levels,
                                   double patience);

}  // namespace rackproof::swing

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "benches/swing/collect.hpp"
#include "benches/swing/config.hpp"
#include "benches/swing/sensor.hpp"
#include "benches/swing/series.hpp"

namespace rackproof::swing {

/// The clocks of the ranks before anything is run: how far each is ahead of rank 0's, and by how
/// much that can be wrong. Seconds.
struct Clocks {
  std::vector<double> offsets;
  std::vector<double> bounds;

  /// How far the two clocks that differ most are apart: what the skew would be if each rank went by
  /// its own.
  double apart() const;
  /// By how much two clocks can still be apart once aligned: the two largest bounds together.
  double bound() const;
};
protocol::Note note_of(const Clocks& clocks);

/// What has a sensor of its own, a host or a GPU, as rank 0 knows it.
struct Sensed {
  std::string name;
  Lack lack = Lack::kNoCounter;
  std::optional<double> idle_watts = {};
  std::optional<double> limit_watts = {};
  std::array<bool, kEvents.size()> counted{};
};
/// What all of them may draw above idle, where each says both.
Headroom headroom_of(const std::vector<Sensed>& all);
/// What is measured of them and what is not, and why: `sensed` is "hosts" or "GPUs", `power` a
/// sentence of whose power it is.
protocol::Note note_of(const std::vector<Sensed>& all, const std::string& sensed,
                       const std::string& power);

/// What a run came to, for people. `series` holds this run alone, `names` what the ranks are
/// called.
protocol::Note note_of(const Run& run, const Config& config, const Collected& all,
                       const Series& series, const std::vector<std::string>& names);

}  // namespace rackproof::swing

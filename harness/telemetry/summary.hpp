#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/telemetry/ring_reader.hpp"
#include "reports/model/recording.hpp"

namespace rackproof::telemetry {

/// The time of an attempt by the recorder's clock.
struct Window {
  std::uint64_t from_ns = 0;
  std::uint64_t to_ns = 0;
};

/// What each series was in that time. With a `device`, its own series and the node's counters that
/// moved; without one, all of them. A counter that did not move is left out: one that could not be
/// read is there with the reason. Nothing when no sample lies in the window. Pure.
std::vector<model::SeriesSummary> summarise(const Recording& recording, Window window,
                                            const std::string& device);

/// Share of the samples for which each bit of NVML's throttle reasons was on, by name.
std::map<std::string, double> throttle_shares(const std::vector<double>& masks);

/// What the recording as a whole says of itself; host, segment, file and digest are the caller's.
model::RecordingInfo info_of(const Recording& recording);

}  // namespace rackproof::telemetry

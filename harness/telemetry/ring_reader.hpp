#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/telemetry/ring_format.hpp"
#include "harness/telemetry/ring_writer.hpp"

namespace rackproof::telemetry {

struct Sample {
  std::uint64_t sequence = 0;  ///< from 1; gaps are samples that were overwritten or damaged
  std::uint64_t monotonic_ns = 0;
  std::vector<double> values;  ///< one for each column; see missing.hpp
};

/// All that a file holds, whoever is writing it and however the writer ended.
struct Recording {
  About about;
  std::vector<Sample> samples;  ///< by sequence, times ascending
  std::uint64_t overwritten = 0;
  std::uint64_t damaged = 0;  ///< slots that hold neither a whole sample nor nothing
  bool ended = false;         ///< the writer closed it; else it still writes, or was killed

  /// Nanoseconds since 1970 of a sample, by the writer's clock at its start.
  std::int64_t realtime_ns(const Sample& sample) const;
  /// Index of a column by its key(); -1 when there is none.
  int column(const std::string& key) const;
};

/// Never blocks the writer. Samples that are being written are left out. Throws RecordingError for
/// what is no recording: another format, version or byte order, cut off, nonsense.
Recording read_recording(const std::string& path);

/// The same of the bytes of a file; `name` is for messages.
Recording parse_recording(std::string_view bytes, const std::string& name);

}  // namespace rackproof::telemetry

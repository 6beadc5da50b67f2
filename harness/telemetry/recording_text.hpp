#pragma once

#include <string>

namespace rackproof::telemetry {

/// Prints a recording that rackproof record made, or is still making: "jsonl" or "csv". Throws
/// UsageError for what is no recording.
int dump_recording(const std::string& path, const std::string& format);

}  // namespace rackproof::telemetry

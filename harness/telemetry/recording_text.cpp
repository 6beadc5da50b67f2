#include "harness/telemetry/recording_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "harness/support/errors.hpp"
#include "harness/support/print.hpp"
#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/ring_reader.hpp"

namespace rackproof::telemetry {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kPrintAtOnce = 1 << 16;

double seconds_since_start(const Recording& recording, const Sample& sample) {
  return static_cast<double>(sample.monotonic_ns - recording.about.start_monotonic_ns) * 1e-9;
}

std::string line_of(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

std::string head_line(const Recording& recording) {
  const About& about = recording.about;
  ordered_json head = {{"kind", "recording"},
                       {"host", about.host},
                       {"boot", about.boot},
                       {"interval_s", static_cast<double>(about.interval_ns) * 1e-9},
                       {"start_unix_s", static_cast<double>(about.start_realtime_ns) * 1e-9},
                       {"start_monotonic_s", static_cast<double>(about.start_monotonic_ns) * 1e-9},
                       {"samples", recording.samples.size()},
                       {"overwritten", recording.overwritten},
                       {"damaged", recording.damaged},
                       {"ended", recording.ended},
                       {"notes", about.notes}};
  head["columns"] = ordered_json::array();
  for (const Column& column : about.columns) {
    head["columns"].push_back({{"key", column.key()},
                               {"unit", column.unit},
                               {"kind", to_text(column.kind)},
                               {"source", column.source}});
  }
  return line_of(head);
}

std::string sample_line(const Recording& recording, const Sample& sample) {
  ordered_json line = {{"kind", "sample"},
                       {"sequence", sample.sequence},
                       {"time_s", seconds_since_start(recording, sample)}};
  ordered_json values = ordered_json::object();
  ordered_json missing = ordered_json::object();
  for (std::size_t i = 0; i < sample.values.size(); ++i) {
    const double value = sample.values[i];
    const std::string key = recording.about.columns[i].key();
    if (is_value(value)) {
      values[key] = value;
    } else if (!is_not_due(value)) {
      missing[key] = why_missing(value);
    }
  }
  line["values"] = std::move(values);
  if (!missing.empty()) line["missing"] = std::move(missing);
  return line_of(line);
}

// A cell that begins like a formula would be run by a spreadsheet; names of sensors come from
// drivers.
std::string csv_cell(std::string text) {
  if (!text.empty() && std::string("=+-@").find(text.front()) != std::string::npos)
    text.insert(0, "'");
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char letter : text) quoted += letter == '"' ? "\"\"" : std::string(1, letter);
  return quoted + "\"";
}

std::string csv_head(const Recording& recording) {
  std::string line = "sequence,time_s";
  for (const Column& column : recording.about.columns) {
    line += "," + csv_cell(column.key() + (column.unit == "1" ? "" : " [" + column.unit + "]"));
  }
  return line + "\n";
}

std::string csv_line(const Recording& recording, const Sample& sample) {
  std::string line =
      fmt::format("{},{:.6f}", sample.sequence, seconds_since_start(recording, sample));
  for (const double value : sample.values) {
    line += is_value(value) ? fmt::format(",{}", value) : ",";
  }
  return line + "\n";
}

}  // namespace

int dump_recording(const std::string& path, const std::string& format) {
  const bool csv = format == "csv";
  Recording recording;
  try {
    recording = read_recording(path);
  } catch (const RecordingError& error) {
    throw support::UsageError(error.what());
  }
  std::string text = csv ? csv_head(recording) : head_line(recording);
  for (const Sample& sample : recording.samples) {
    text += csv ? csv_line(recording, sample) : sample_line(recording, sample);
    if (text.size() < kPrintAtOnce) continue;
    support::print(text);
    text.clear();
  }
  support::print(text);
  return 0;
}

}  // namespace rackproof::telemetry

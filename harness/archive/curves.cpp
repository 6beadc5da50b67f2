#include "harness/archive/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/support/digest.hpp"
#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/ring_reader.hpp"
#include "harness/telemetry/summary.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::archive {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProcesses = 12;
constexpr std::size_t kCurves = 16;
constexpr std::size_t kPoints = 300;
constexpr double kAround = 5;  // seconds before and after
constexpr std::uintmax_t kLongestLine = 1 << 16;

std::optional<std::string> bytes_of(const std::string& folder, const std::string& file) {
  const fs::path path = fs::path(folder) / file;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > telemetry::kLargestFile) {
    return std::nullopt;
  }
  std::ifstream stream(path, std::ios::binary);
  std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  return stream.bad() ? std::nullopt : std::optional(std::move(bytes));
}

// The monotonic clock of its host when the journal of a rank was opened, in seconds.
std::optional<double> opened_at(const std::string& folder, int segment, int rank) {
  const fs::path path =
      fs::path(folder) / fmt::format("journals/{:04}-rank-{:05}.jsonl", segment, rank);
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream stream(path, std::ios::binary);
  std::string line(kLongestLine, '\0');
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(stream.gcount()));
  const auto first = nlohmann::json::parse(line.substr(0, line.find('\n')), nullptr, false);
  if (!first.is_object() || first.value("j", nlohmann::json()) != "open") return std::nullopt;
  const auto found = first.find("monotonic_s");
  if (found == first.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

// Values of a column by seconds since the measurement began; samples without one are left out.
struct Trace {
  std::vector<double> seconds;
  std::vector<double> values;
};

Trace trace_of(const telemetry::Recording& recording, std::size_t column, double began,
               double seconds) {
  Trace trace;
  for (const telemetry::Sample& sample : recording.samples) {
    const double at = static_cast<double>(sample.monotonic_ns) * 1e-9 - began;
    const double value = sample.values[column];
    if (at < -kAround || at > seconds + kAround || !telemetry::is_value(value)) continue;
    trace.seconds.push_back(at);
    trace.values.push_back(value);
  }
  return trace;
}

// What a counter grew by in each second.
Trace rate_of(const Trace& counter) {
  Trace rate;
  for (std::size_t i = 1; i < counter.values.size(); ++i) {
    const double time = counter.seconds[i] - counter.seconds[i - 1];
    if (time <= 0) continue;
    rate.seconds.push_back(counter.seconds[i]);
    rate.values.push_back((counter.values[i] - counter.values[i - 1]) / time);
  }
  return rate;
}

// Of each stretch the least and the most, so that no peak is lost.
html::Curve thinned(const telemetry::Column& column, const std::string& unit, const Trace& trace) {
  html::Curve curve{column.name, column.subject, unit, {}, {}};
  const auto add = [&](std::size_t i) {
    curve.seconds.push_back(static_cast<float>(trace.seconds[i]));
    curve.values.push_back(static_cast<float>(trace.values[i]));
  };
  const std::size_t stretch = std::max<std::size_t>(1, 2 * trace.values.size() / kPoints);
  for (std::size_t from = 0; from < trace.values.size(); from += stretch) {
    const auto begin = trace.values.begin() + static_cast<std::ptrdiff_t>(from);
    const auto end = trace.values.begin() +
                     static_cast<std::ptrdiff_t>(std::min(from + stretch, trace.values.size()));
    const auto [low, high] = std::minmax_element(begin, end);
    const auto first = static_cast<std::size_t>(std::min(low, high) - trace.values.begin());
    const auto last = static_cast<std::size_t>(std::max(low, high) - trace.values.begin());
    add(first);
    if (last != first) add(last);
  }
  return curve;
}

// One curve for each throttle reason that was on at all.
void add_masks(std::vector<html::Curve>& curves, telemetry::Column column, const Trace& masks) {
  for (const auto& [name, share] : telemetry::throttle_shares(masks.values)) {
    Trace on{masks.seconds, {}};
    for (const double mask : masks.values) {
      on.values.push_back(telemetry::throttle_shares({mask}).count(name) > 0 ? 1 : 0);
    }
    column.name = "throttled: " + name;
    curves.push_back(thinned(column, "ratio", on));
  }
}

std::vector<html::Curve> curves_in(const telemetry::Recording& recording, const std::string& device,
                                   double began, double seconds) {
  std::vector<html::Curve> curves;
  const auto& columns = recording.about.columns;
  for (std::size_t i = 0; i < columns.size() && curves.size() < kCurves; ++i) {
    // Of a device its own; what is about the whole node belongs to cells of the node.
    if (columns[i].subject != device) continue;
    const Trace trace = trace_of(recording, i, began, seconds);
    if (trace.values.size() < 2) continue;
    const auto [low, high] = std::minmax_element(trace.values.begin(), trace.values.end());
    switch (columns[i].kind) {
      case telemetry::Kind::kGauge:
        curves.push_back(thinned(columns[i], columns[i].unit, trace));
        break;
      case telemetry::Kind::kCounter:
        // One that did not move says nothing here.
        if (*low != *high) {
          curves.push_back(thinned(columns[i], columns[i].unit + "/s", rate_of(trace)));
        }
        break;
      case telemetry::Kind::kMask:
        add_masks(curves, columns[i], trace);
        break;
    }
  }
  return curves;
}

// The recordings that are still what the report was made out of.
class Recordings {
 public:
  Recordings(const model::Report& report, std::string folder)
      : report_(report), folder_(std::move(folder)) {}

  const telemetry::Recording* of(const std::string& host, int segment) {
    for (const model::RecordingInfo& info : report_.recordings) {
      // One with a problem may be of another boot, whose clock means nothing here.
      if (info.host != host || info.segment != segment || !info.problem.empty()) continue;
      const auto [place, fresh] = known_.try_emplace({host, segment});
      if (fresh) read(info, place->second);
      return place->second ? &*place->second : nullptr;
    }
    return nullptr;
  }

 private:
  // Under names that a run gives, and no others: the report may come from anywhere.
  void read(const model::RecordingInfo& info, std::optional<telemetry::Recording>& recording) {
    const std::string prefix = fmt::format("journals/{:04}-rank-", info.segment);
    if (!info.file.starts_with(prefix) || !info.file.ends_with(".recording") ||
        info.file.find('/', prefix.size()) != std::string::npos) {
      return;
    }
    const auto bytes = bytes_of(folder_, info.file);
    if (!bytes || support::sha256_hex(*bytes) != info.sha256) return;
    try {
      recording = telemetry::parse_recording(*bytes, info.file);
    } catch (
        const telemetry::RecordingError&) {  // NOLINT(bugprone-empty-catch): then there is none
    }
  }

  const model::Report& report_;
  std::string folder_;
  std::map<std::pair<std::string, int>, std::optional<telemetry::Recording>> known_;
};

}  // namespace

std::vector<html::CellCurves> curves_of(const model::Report& report, const std::string& folder) {
  std::vector<const model::Cell*> failed;
  for (const model::Cell& cell : report.cells) {
    if (cell.verdict.outcome == model::Outcome::kFail && !cell.measurements.empty()) {
      failed.push_back(&cell);
    }
  }
  std::map<std::string, const model::Attempt*> attempts;
  for (const model::Attempt& attempt : report.attempts) attempts.emplace(attempt.nonce, &attempt);
  Recordings recordings(report, folder);
  std::vector<html::CellCurves> all;
  // By nonce, where in `all`; nowhere when there is nothing, or no room.
  std::map<std::string, std::optional<std::size_t>> told;
  for (const model::Cell* cell : model::worst_first(failed)) {
    const auto found = attempts.find(cell->measurements.back().attempt);
    if (found == attempts.end()) continue;
    const auto [place, fresh] = told.try_emplace(found->first);
    if (place->second) all[*place->second].cells.push_back(cell);
    if (!fresh || all.size() == kProcesses) continue;
    const model::Attempt& attempt = *found->second;
    const int segment = attempt.resumed + 1;
    const telemetry::Recording* recording = recordings.of(attempt.host, segment);
    const auto opened = opened_at(folder, segment, attempt.rank);
    if (recording == nullptr || !opened) continue;
    auto curves = curves_in(*recording, model::device_of(attempt), *opened + attempt.began_seconds,
                            attempt.seconds);
    if (curves.empty()) continue;
    place->second = all.size();
    all.push_back({{cell}, attempt.seconds, std::move(curves)});
  }
  return all;
}

}  // namespace rackproof::archive

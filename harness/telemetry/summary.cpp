#include "harness/telemetry/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "contract/throttle_reason.hpp"
#include "harness/stats/robust.hpp"
#include "harness/telemetry/missing.hpp"
#include "reports/model/column_name.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::telemetry {
namespace {

constexpr int kMaskBits = 53;  // that a double holds exactly

struct Point {
  std::uint64_t ns = 0;
  double value = 0;
};

// The values of one column.
struct Series {
  std::vector<double> within;
  std::optional<Point> first;  ///< the last one no later than the window's start, or the next
  std::optional<Point> last;   ///< the first one no earlier than its end, or the one before
  bool ended = false;          ///< `last` is no earlier than the window's end
  std::string missing;
};

// A kill takes the last sample: what is asked for must not lie behind the end of the recording.
Series series_of(const Recording& recording, std::size_t column, Window window) {
  Series series;
  for (const Sample& sample : recording.samples) {
    const double value = sample.values[column];
    const bool inside =
        sample.monotonic_ns >= window.from_ns && sample.monotonic_ns <= window.to_ns;
    if (!is_value(value)) {
      if (inside && !is_not_due(value)) series.missing = why_missing(value);
      continue;
    }
    if (inside) series.within.push_back(value);
    const Point point{sample.monotonic_ns, value};
    if (sample.monotonic_ns <= window.from_ns || (inside && !series.first)) series.first = point;
    const bool ends = sample.monotonic_ns >= window.to_ns;
    if ((inside || ends) && !series.ended) series.last = point;
    series.ended = series.ended || ends;
  }
  return series;
}

// Of events each that may lie in the window counts. Energy is read so seldom that what was used
// before and after would be much: the window's part is taken.
void fill_counter(const Series& series, Window window, const std::string& unit,
                  model::SeriesSummary& summary) {
  if (!series.first || !series.last || series.last->ns < window.from_ns) return;
  summary.delta = series.last->value - series.first->value;
  const std::uint64_t span = series.last->ns - series.first->ns;
  if (unit != "J" || span == 0) return;
  const std::uint64_t own =
      std::min(window.to_ns, series.last->ns) - std::max(window.from_ns, series.first->ns);
  *summary.delta *= static_cast<double>(own) / static_cast<double>(span);
}

void fill_gauge(const Series& series, model::SeriesSummary& summary) {
  if (series.within.empty()) return;
  const auto [low, high] = std::minmax_element(series.within.begin(), series.within.end());
  summary.min = *low;
  summary.max = *high;
  summary.median = stats::median(series.within);
  summary.p95 = stats::nearest_rank(series.within, 95);
}

model::SeriesSummary summary_of(const Column& column, const Series& series, Window window) {
  model::SeriesSummary summary;
  summary.name = column.name;
  summary.subject = column.subject;
  summary.unit = column.unit;
  summary.samples = static_cast<std::int64_t>(series.within.size());
  summary.missing = series.missing;
  switch (column.kind) {
    case Kind::kGauge:
      fill_gauge(series, summary);
      break;
    case Kind::kCounter:
      fill_counter(series, window, column.unit, summary);
      break;
    case Kind::kMask:
      summary.shares = throttle_shares(series.within);
      break;
  }
  return summary;
}

}  // namespace

std::map<std::string, double> throttle_shares(const std::vector<double>& masks) {
  std::map<std::string, double> shares;
  for (const double mask : masks) {
    if (!(mask >= 0 && mask < std::ldexp(1, kMaskBits))) continue;
    const auto bits = static_cast<std::uint64_t>(mask);
    for (int bit = 0; bit < kMaskBits; ++bit) {
      if ((bits >> bit & 1U) == 0) continue;
      const auto at = static_cast<std::size_t>(bit);
      shares[at < contract::kThrottleReasons.size()
                 ? std::string(contract::kThrottleReasons[at].name)
                 : fmt::format("bit-{}", bit)] += 1;
    }
  }
  for (auto& [reason, share] : shares) share /= static_cast<double>(masks.size());
  return shares;
}

std::vector<model::SeriesSummary> summarise(const Recording& recording, Window window,
                                            const std::string& device) {
  std::vector<model::SeriesSummary> all;
  const auto inside = [&](const Sample& sample) {
    return sample.monotonic_ns >= window.from_ns && sample.monotonic_ns <= window.to_ns;
  };
  if (std::none_of(recording.samples.begin(), recording.samples.end(), inside)) return all;
  for (std::size_t i = 0; i < recording.about.columns.size(); ++i) {
    const Column& column = recording.about.columns[i];
    if (column.name.starts_with("recorder.")) continue;
    const bool own = device.empty() || column.subject == device;
    const bool others_device = !own && column.name.starts_with("gpu.");
    if (others_device || (!own && column.kind != Kind::kCounter)) continue;
    model::SeriesSummary summary = summary_of(column, series_of(recording, i, window), window);
    const bool unmoved = summary.delta && *summary.delta == 0;
    if (column.kind == Kind::kCounter && (unmoved || (!own && !summary.delta)) &&
        summary.missing.empty()) {
      continue;
    }
    if (summary.samples == 0 && summary.missing.empty() && !summary.delta) continue;
    all.push_back(std::move(summary));
  }
  return all;
}

model::RecordingInfo info_of(const Recording& recording) {
  model::RecordingInfo info;
  info.interval_seconds = static_cast<double>(recording.about.interval_ns) * 1e-9;
  info.slowest_seconds = info.interval_seconds;
  info.samples = static_cast<std::int64_t>(recording.samples.size());
  info.overwritten = static_cast<std::int64_t>(recording.overwritten);
  info.damaged = static_cast<std::int64_t>(recording.damaged);
  info.closed = recording.ended;
  info.notes = recording.about.notes;
  if (recording.samples.empty()) return info;
  const Sample& last = recording.samples.back();
  info.ends_utc = model::utc_text(recording.realtime_ns(last));
  const int interval = recording.column(model::column_name::kRecorderInterval);
  const int cpu = recording.column(model::column_name::kRecorderCpu);
  if (interval >= 0) {
    for (const Sample& sample : recording.samples) {
      const double seconds = sample.values[static_cast<std::size_t>(interval)];
      if (is_value(seconds)) info.slowest_seconds = std::max(info.slowest_seconds, seconds);
    }
  }
  if (cpu >= 0 && is_value(last.values[static_cast<std::size_t>(cpu)])) {
    std::size_t devices = 0;
    for (const Column& column : recording.about.columns)
      devices += column.name == model::column_name::kGpuPower ? 1 : 0;
    info.cpu_seconds_per_sample = last.values[static_cast<std::size_t>(cpu)] /
                                  static_cast<double>(last.sequence) /
                                  static_cast<double>(std::max<std::size_t>(1, devices));
  }
  return info;
}

}  // namespace rackproof::telemetry

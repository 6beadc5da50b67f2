#pragma once

#include <concepts>
#include <type_traits>

#include "reports/model/recording.hpp"

/// What recordings are in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, SeriesSummary>
void describe(V& v, T& series) {
  v.field("name", series.name);
  v.maybe("subject", series.subject);
  v.field("unit", series.unit);
  v.field("samples", series.samples);
  v.maybe("min", series.min);
  v.maybe("median", series.median);
  v.maybe("p95", series.p95);
  v.maybe("max", series.max);
  v.maybe("delta", series.delta);
  v.maybe("shares", series.shares);
  v.maybe("missing", series.missing);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, RecordingInfo>
void describe(V& v, T& recording) {
  v.field("host", recording.host);
  v.field("segment", recording.segment);
  v.field("file", recording.file);
  v.maybe("sha256", recording.sha256);
  v.maybe("problem", recording.problem);
  v.field("interval_seconds", recording.interval_seconds);
  v.field("slowest_seconds", recording.slowest_seconds);
  v.field("samples", recording.samples);
  v.maybe("overwritten", recording.overwritten);
  v.maybe("damaged", recording.damaged);
  v.field("closed", recording.closed);
  v.maybe("ends_utc", recording.ends_utc);
  v.field("cpu_seconds_per_sample", recording.cpu_seconds_per_sample);
  v.field("notes", recording.notes);
  v.maybe("blind", recording.blind);
  v.maybe("gap", recording.gap);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, Event>
void describe(V& v, T& event) {
  v.field("host", event.host);
  v.maybe("utc", event.utc);
  v.field("kind", event.kind);
  v.field("severity", event.severity);
  v.maybe("device", event.device);
  v.maybe("code", event.code);
  v.field("text", event.text);
  v.unless("count", event.count, std::int64_t{1});
  v.maybe("attempts", event.attempts);
}

}  // namespace rackproof::model

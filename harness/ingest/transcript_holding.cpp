#include <fmt/format.h>

#include <utility>

#include "harness/ingest/transcript.hpp"
#include "reports/json/report_json.hpp"

// What a transcript holds of what a bench said, and how much that may be: a few bytes of output can
// ask for many. Samples and checks are told once and named as often as one likes.
namespace rackproof::ingest {
namespace {

constexpr std::size_t kMaxHeldBytes = std::size_t{128} << 20;
constexpr std::size_t kMaxNoteBytes = std::size_t{1} << 20;
// About what one takes beside its texts and samples.
constexpr std::size_t kMeasurementBytes = 1024;
constexpr std::size_t kParameterBytes = 256;
constexpr std::size_t kCheckBytes = 256;
constexpr std::size_t kNoteBytes = 64;

}  // namespace

std::size_t Transcript::bytes_of(const model::CheckResult& check) {
  return kCheckBytes + check.name.size() + check.detail.size() + check.digest.size() +
         check.first_wrong_where.size() + check.first_wrong_got.size() +
         check.first_wrong_want.size();
}

void Transcript::hold(const protocol::Metric& metric) {
  std::size_t bytes = kMeasurementBytes + metric.name.size() + metric.check.size();
  for (const auto* texts : {&metric.parameters, &metric.conditions}) {
    for (const auto& [name, value] : *texts) {
      bytes += kParameterBytes + name.size() + model::to_text(value).size();
    }
  }
  const auto series = metric.series ? series_.find(*metric.series) : series_.end();
  hold(series == series_.end() ? metric.samples.size() : series->second.size(), bytes);
}

void Transcript::hold(std::size_t samples, std::size_t bytes) {
  held_.samples += samples;
  held_.bytes += bytes + samples * sizeof(double);
  const bool many = held_.samples > kMaxSeriesValues;
  if (!many && held_.bytes <= kMaxHeldBytes) return;
  blame(many ? "its metrics have more than 4,000,000 samples"
             : "what it said takes more than 128 MiB of memory");
  held_.too_much = true;
  measurements_ = {};
  series_ = {};
  answered_ = {};
}

void Transcript::take_note(std::string text) {
  held_.note_bytes += text.size() + kNoteBytes;
  if (held_.note_bytes > kMaxNoteBytes) {
    ++held_.notes_left_out;
  } else {
    attempt_.notes.push_back(std::move(text));
  }
}

// Nothing more comes.
void Transcript::settle() {
  // Each number carries its check along.
  std::size_t bytes = 0;
  for (const auto& [measurement, name] : measurements_) {
    const auto check = check_places_.find(name);
    if (check != check_places_.end()) bytes += bytes_of(attempt_.checks[check->second]);
  }
  hold(0, bytes);
  series_ = {};
  answered_ = {};
  if (held_.notes_left_out == 0) return;
  attempt_.notes.push_back(fmt::format("{} more notes were left out", held_.notes_left_out));
  held_.notes_left_out = 0;
}

void Transcript::prove(std::vector<model::Measurement>& measurements) const {
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const auto check = check_places_.find(measurements_[i].second);
    if (check != check_places_.end()) measurements[i].check = attempt_.checks[check->second];
  }
}

model::Attempt Transcript::attempt() const {
  model::Attempt attempt = attempt_;
  for (const auto& [measurement, check] : measurements_)
    attempt.measurements.push_back(measurement);
  prove(attempt.measurements);
  return attempt;
}

model::Attempt Transcript::take_attempt() {
  model::Attempt attempt = attempt_;
  for (auto& [measurement, check] : measurements_) {
    attempt.measurements.push_back(std::move(measurement));
  }
  prove(attempt.measurements);
  measurements_ = {};
  return attempt;
}

}  // namespace rackproof::ingest

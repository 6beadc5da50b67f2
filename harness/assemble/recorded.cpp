#include "harness/assemble/recorded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "harness/assemble/amended.hpp"
#include "harness/telemetry/event.hpp"
#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/summary.hpp"
#include "reports/model/column_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::assemble {
namespace {

// What became of the recorder of one host, out of the journal of its rank.
struct Recorder {
  model::Attempt attempt;
  int segment = 1;
  const RankJournal* journal = nullptr;
};

std::vector<Recorder> recorders_of(Reading& reading) {
  std::vector<Recorder> all;
  for (const auto& [nonce, transcript] : reading.others) {
    model::Attempt attempt = transcript.attempt();
    if (attempt.bench != telemetry::kRecorderBench) continue;
    const int segment = reading.segment_of.at(nonce);
    const RankJournal* const journal = journal_of(reading, segment, attempt.rank);
    if (journal == nullptr) continue;
    all.push_back({std::move(attempt), segment, journal});
  }
  std::sort(all.begin(), all.end(), [](const Recorder& a, const Recorder& b) {
    return std::pair(a.segment, a.attempt.rank) < std::pair(b.segment, b.attempt.rank);
  });
  return all;
}

// "journals/0001-rank-00003.recording", beside the journal of its rank.
std::string file_of(const Recorder& recorder) {
  return fmt::format("journals/{:04}-rank-{:05}.recording", recorder.segment,
                     recorder.attempt.rank);
}

std::uint64_t nanoseconds(double seconds) {
  return static_cast<std::uint64_t>(std::clamp(seconds, 0.0, 9e9) * 1e9);
}

void summarise_attempts(Reading& reading, const Recorder& recorder,
                        const telemetry::Recording& recording) {
  for (model::Attempt& attempt : reading.report.attempts) {
    if (attempt.host != recorder.attempt.host || attempt.resumed + 1 != recorder.segment) continue;
    const std::string device = model::device_of(attempt);
    // What is about the whole node is said once, by the rank that the recorder belongs to.
    if (device.empty() && attempt.rank != recorder.attempt.rank) continue;
    const RankJournal* const own = journal_of(reading, recorder.segment, attempt.rank);
    if (own == nullptr || own->opened_monotonic <= 0) continue;
    const double began = own->opened_monotonic + attempt.began_seconds;
    attempt.recorded = telemetry::summarise(
        recording, {nanoseconds(began), nanoseconds(began + attempt.seconds)}, device);
  }
}

// Nobody but the run itself may end a recorder.
bool ended_by_the_run(const model::Ending& ending) {
  const auto* cancelled = std::get_if<model::ending::Cancelled>(&ending);
  return cancelled != nullptr;
}

// True when the recorder ended with its rank or its host, and saw all that was measured there.
bool ended_with_its_rank(const Recorder& recorder) {
  const model::CloseReason reason = recorder.journal->close_reason.id;
  const bool rank_gone = !recorder.journal->closed || reason == model::CloseReason::kRankGone ||
                         reason == model::CloseReason::kRankStopped;
  return rank_gone && (ended_by_the_run(recorder.attempt.ending) ||
                       std::holds_alternative<model::ending::RankLost>(recorder.attempt.ending));
}

bool has_gap(const Recorder& recorder, const telemetry::Recording& recording) {
  if (ended_with_its_rank(recorder)) return false;
  return !recording.ended || !ended_by_the_run(recorder.attempt.ending);
}

bool has_values(const telemetry::Recording& recording, const std::string& key) {
  const int column = recording.column(key);
  return column >= 0 &&
         std::any_of(recording.samples.begin(), recording.samples.end(), [&](const auto& sample) {
           return telemetry::is_value(sample.values[static_cast<std::size_t>(column)]);
         });
}

// The GPUs whose errors neither the kernel's log nor the driver could tell the recorder.
std::vector<std::string> blind_to(const model::Report& report, const std::string& host,
                                  const telemetry::Recording& recording) {
  std::vector<std::string> gpus;
  if (has_values(recording, model::column_name::kKernelMessages)) return gpus;
  for (const model::NodeInventory& node : report.nodes) {
    if (node.host != host) continue;
    for (const model::DeviceFacts& device : node.devices) {
      const telemetry::Column xids = telemetry::column_of(model::column_name::kGpuXids, device.uuid,
                                                          telemetry::Kind::kCounter, "");
      if (!has_values(recording, xids.key())) gpus.push_back(device.uuid);
    }
  }
  return gpus;
}

void add_recorder_finding(model::Report& report, const char* id, const Recorder& recorder,
                          const std::string& text) {
  model::Finding finding;
  finding.id = id;
  finding.severity = model::Severity::kWarning;
  finding.subject = recorder.attempt.host;
  finding.text = text;
  report.findings.push_back(std::move(finding));
}

std::string first_line(const std::string& text) {
  const std::string prefix = "rackproof: ";
  const std::size_t from = text.starts_with(prefix) ? prefix.size() : 0;
  return text.substr(from, text.find('\n') - from);
}

void read_recording(Reading& reading, const Recorder& recorder, const Recordings& recordings,
                    model::RecordingInfo& info) {
  const auto file = recordings.read ? recordings.read(info.file) : std::nullopt;
  if (!file) {
    info.problem = recorder.attempt.stderr_tail.empty() ? "there is no such file here"
                                                        : first_line(recorder.attempt.stderr_tail);
    return;
  }
  try {
    const auto recording = telemetry::parse_recording(file->bytes, info.file);
    // Every boot has a clock of its own.
    if (const std::string& boot = recorder.journal->boot;
        !boot.empty() && !recording.about.boot.empty() && boot != recording.about.boot) {
      throw telemetry::RecordingError(info.file +
                                      ": is of another boot of the host than the journal");
    }
    model::RecordingInfo found = telemetry::info_of(recording);
    found.host = info.host;
    found.segment = info.segment;
    found.file = info.file;
    info = std::move(found);
    info.gap = has_gap(recorder, recording);
    info.blind = blind_to(reading.report, recorder.attempt.host, recording);
    summarise_attempts(reading, recorder, recording);
  } catch (const telemetry::RecordingError& error) {
    info.problem = error.what();
  }
  info.sha256 = file->sha256;
}

// Hosts that were measured and where nobody looked: --no-record, or a recorder that never began.
void note_never_recorded(model::Report& report) {
  std::set<std::pair<std::string, int>> recorded;
  for (const model::RecordingInfo& info : report.recordings) {
    recorded.emplace(info.host, info.segment);
  }
  std::set<std::pair<std::string, int>> open;
  for (const model::Attempt& attempt : report.attempts) {
    const std::pair key(attempt.host, attempt.resumed + 1);
    if (!recorded.contains(key)) open.insert(key);
  }
  for (const auto& [host, segment] : open) {
    model::Finding finding;
    finding.id = model::finding_id::kNotRecorded;
    finding.severity = model::Severity::kWarning;
    finding.subject = host;
    finding.text = fmt::format("what {} did meanwhile is not known: no recorder was started{}",
                               host, segment > 1 ? fmt::format(" in part {}", segment) : "");
    report.findings.push_back(std::move(finding));
  }
}

}  // namespace

void fill_recordings(Reading& reading, const Recordings& recordings) {
  for (const Recorder& recorder : recorders_of(reading)) {
    model::RecordingInfo info;
    info.host = recorder.attempt.host;
    info.segment = recorder.segment;
    info.file = file_of(recorder);
    read_recording(reading, recorder, recordings, info);
    if (is_set_back(reading, info.segment, info.host)) {
      // It is there, and nothing that counts was measured meanwhile: nobody misses it.
      info.gap = false;
      info.blind.clear();
      if (!info.sha256.empty()) reading.report.recordings.push_back(std::move(info));
      continue;
    }
    const std::string& host = recorder.attempt.host;
    if (!info.problem.empty()) {
      add_recorder_finding(
          reading.report, model::finding_id::kNotRecorded, recorder,
          fmt::format("what {} did meanwhile is not known: {}", host, info.problem));
    } else if (!info.closed || !ended_by_the_run(recorder.attempt.ending)) {
      add_recorder_finding(
          reading.report, model::finding_id::kRecordingEnds, recorder,
          fmt::format("the recording of {} ends at {}, after {} samples: its recorder {}", host,
                      info.ends_utc.empty() ? "its start" : info.ends_utc, info.samples,
                      model::sentence(recorder.attempt.ending)));
    }
    reading.report.recordings.push_back(std::move(info));
  }
  note_never_recorded(reading.report);
}

}  // namespace rackproof::assemble

#include "harness/assemble/events.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "harness/assemble/amended.hpp"
#include "harness/telemetry/event.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::assemble {
namespace {

using model::Event;
using protocol::Note;
using telemetry::EventSource;

// Times of day beyond this do not fit into nanoseconds.
constexpr double kLatest = 9e9;
// The kernel and NVML tell the same Xid, each in its own time.
constexpr double kSame = 5;

// An event with what only the journal knows of it.
struct Observation {
  Event event;
  double monotonic = 0;  ///< by the clock of the host's journals
  double within = 0;     ///< it may have happened so much before
  EventSource source = EventSource::kKernel;
  int segment = 1;
};

template <class T>
std::optional<T> fact(const Note& note, const char* name) {
  const auto found = note.facts.find(name);
  const T* const value = found == note.facts.end() ? nullptr : std::get_if<T>(&found->second);
  return value == nullptr ? std::nullopt : std::optional<T>(*value);
}

// Of a GPU on the bus address "0000:41:00", with or without a function behind; else nothing.
std::string gpu_at(const model::Report& report, const std::string& host,
                   const std::string& address) {
  const auto slot = [](const std::string& text) { return text.substr(0, text.rfind('.')); };
  for (const model::NodeInventory& node : report.nodes) {
    if (node.host != host) continue;
    for (const model::DeviceFacts& device : node.devices) {
      const auto known = device.facts.find(model::fact_name::kGpuPciAddress);
      if (known == device.facts.end() || !known->second.value) continue;
      const auto* text = std::get_if<std::string>(&*known->second.value);
      if (text != nullptr && !text->empty() && slot(*text) == slot(address)) return device.uuid;
    }
  }
  return "";
}

std::optional<Observation> observation_by(const Reading& reading, const model::Attempt& recorder,
                                          int segment, const Note& note) {
  const RankJournal* const journal = journal_of(reading, segment, recorder.rank);
  const auto severity =
      contract::enumerator_of<model::Severity>(fact<std::string>(note, "severity").value_or(""));
  const auto monotonic = fact<double>(note, "monotonic_s");
  if (journal == nullptr || !severity || !monotonic || !std::isfinite(*monotonic)) return {};
  Observation told;
  told.monotonic = *monotonic;
  told.within = std::max(0.0, fact<double>(note, "within_s").value_or(0));
  told.segment = segment;
  Event& event = told.event;
  event.host = recorder.host;
  event.kind = fact<std::string>(note, "event").value_or("");
  event.severity = *severity;
  event.device = fact<std::string>(note, "device").value_or("");
  event.code = fact<std::int64_t>(note, "code").value_or(0);
  event.count = std::max<std::int64_t>(1, fact<std::int64_t>(note, "count").value_or(1));
  event.text = note.text;
  told.source = telemetry::event_source_of(fact<std::string>(note, "source"), note.text);
  const std::string uuid = gpu_at(reading.report, event.host, event.device);
  if (!uuid.empty()) event.device = uuid;
  const auto opened = model::unix_seconds(journal->opened_utc);
  if (opened && journal->opened_monotonic > 0) {
    const double now = *opened + *monotonic - journal->opened_monotonic;
    event.utc = model::utc_text(static_cast<std::int64_t>(std::clamp(now, 0.0, kLatest) * 1e9));
  }
  return told;
}

// What NVML tells and the kernel too is told once, in the words of the kernel.
void drop_doubles(std::vector<Observation>& all) {
  std::map<std::tuple<std::string, std::string, std::string, std::int64_t>, std::vector<double>>
      of_kernel;
  const auto key = [](const Event& event) {
    return std::tuple(event.host, event.device, event.kind, event.code);
  };
  for (const Observation& told : all) {
    if (told.source == EventSource::kKernel) {
      of_kernel[key(told.event)].push_back(told.monotonic);
    }
  }
  std::erase_if(all, [&](const Observation& told) {
    const auto same = of_kernel.find(key(told.event));
    return told.source == EventSource::kNvml && same != of_kernel.end() &&
           std::any_of(same->second.begin(), same->second.end(),
                       [&](double when) { return std::abs(when - told.monotonic) <= kSame; });
  });
}

std::vector<Observation> all_observations(const Reading& reading) {
  std::vector<Observation> all;
  for (const auto& [nonce, transcript] : reading.others) {
    if (transcript.events().empty()) continue;
    const model::Attempt recorder = transcript.attempt();
    // A bench may say what it likes.
    if (recorder.bench != telemetry::kRecorderBench) continue;
    for (const Note& note : transcript.events()) {
      if (auto told = observation_by(reading, recorder, reading.segment_of.at(nonce), note)) {
        all.push_back(*std::move(told));
      }
    }
  }
  drop_doubles(all);
  std::stable_sort(all.begin(), all.end(), [](const Observation& a, const Observation& b) {
    return std::tie(a.event.utc, a.event.host) < std::tie(b.event.utc, b.event.host);
  });
  return all;
}

bool is_gpu_of(const model::Report& report, const std::string& host, const std::string& device) {
  return std::any_of(report.nodes.begin(), report.nodes.end(), [&](const auto& node) {
    return node.host == host && std::any_of(node.devices.begin(), node.devices.end(),
                                            [&](const auto& gpu) { return gpu.uuid == device; });
  });
}

// What happens to a GPU concerns who works on it, or on all of them.
bool works_on(const model::Attempt& attempt, const std::string& gpu) {
  const std::string own = model::device_of(attempt);
  if (own.empty()) return attempt.backend != "host" && attempt.backend != "mpi";
  return own == gpu || attempt.subject.peer_device == gpu;
}

// Its journal ends while it runs.
bool has_no_end(const model::Attempt& attempt) {
  return attempt.seconds == 0 && std::holds_alternative<model::ending::RankLost>(attempt.ending);
}

void tie_to_attempts(const Reading& reading, Observation& told) {
  Event& event = told.event;
  const bool of_gpu = is_gpu_of(reading.report, event.host, event.device);
  for (const model::Attempt& attempt : reading.report.attempts) {
    if (attempt.host != event.host || attempt.resumed + 1 != told.segment) continue;
    if (of_gpu && !works_on(attempt, event.device)) continue;
    const RankJournal* const own = journal_of(reading, told.segment, attempt.rank);
    if (own == nullptr || own->opened_monotonic <= 0) continue;
    const double began = own->opened_monotonic + attempt.began_seconds;
    const bool over =
        !has_no_end(attempt) && began + attempt.seconds < told.monotonic - told.within;
    if (told.monotonic >= began && !over) event.attempts.push_back(attempt.nonce);
  }
}

std::string step_of(const model::Report& report, const Event& event) {
  for (const model::Attempt& attempt : report.attempts) {
    if (!event.attempts.empty() && attempt.nonce == event.attempts.front()) return attempt.step;
  }
  return "";
}

// One for all alike: `first`, and how many they were.
model::Finding finding_of(const model::Report& report, const Event& first, std::int64_t count) {
  model::Finding finding;
  finding.id = model::finding_id::kHardwareEvent;
  finding.severity = model::Severity::kIsolate;
  finding.subject = first.host + (first.device.empty() ? "" : "/" + first.device);
  finding.step = step_of(report, first);
  finding.text = fmt::format("{}{} told at {}{}{}: {}", first.kind,
                             first.code == 0 ? "" : fmt::format(" {}", first.code),
                             first.utc.empty() ? "an unknown time" : first.utc,
                             finding.step.empty() ? "" : ", during step " + finding.step,
                             count == 1 ? "" : fmt::format(", {} times", count), first.text);
  finding.evidence = {{"fact", "event." + first.kind}, {"count", count}};
  if (first.code != 0) finding.evidence["code"] = first.code;
  model::suppress(finding, report.suite.suppress, report.run.began_utc);
  return finding;
}

void add_findings(model::Report& report) {
  struct Alike {
    const Event* first;
    std::int64_t count;
  };
  std::vector<Alike> all;
  for (const Event& event : report.events) {
    if (event.severity < model::Severity::kError) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const Alike& one) {
      return std::tie(one.first->host, one.first->device, one.first->kind, one.first->code) ==
             std::tie(event.host, event.device, event.kind, event.code);
    });
    if (same == all.end()) {
      all.push_back({&event, event.count});
    } else {
      same->count += event.count;
    }
  }
  for (const auto& [first, count] : all) {
    report.findings.push_back(finding_of(report, *first, count));
  }
}

}  // namespace

void fill_events(Reading& reading) {
  for (Observation& told : all_observations(reading)) {
    if (is_repaired_since(reading, told.segment, told.event.host, told.event.device)) continue;
    tie_to_attempts(reading, told);
    reading.report.events.push_back(std::move(told.event));
  }
  add_findings(reading.report);
}

}  // namespace rackproof::assemble

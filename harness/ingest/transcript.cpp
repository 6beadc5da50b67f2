#include "harness/ingest/transcript.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>
#include <type_traits>

#include "benches/protocol/token_line.hpp"
#include "contract/subject_kind.hpp"
#include "harness/ingest/statistic.hpp"
#include "reports/json/report_json.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ingest {
namespace {

using contract::SubjectKind;

// A bench that says more is broken, and a broken bench must not fill the memory of rank 0.
constexpr std::size_t kMaxMeasurements = 100'000;
constexpr std::int64_t kMostExitCode = 255;

}  // namespace

void Transcript::take(const journal::Entry& entry) {
  if (const auto* begin = std::get_if<journal::Begin>(&entry)) take(*begin);
  if (const auto* out = std::get_if<journal::Out>(&entry)) take(*out);
  if (const auto* end = std::get_if<journal::End>(&entry)) take(*end);
}

void Transcript::take(const journal::Begin& begin) {
  attempt_.nonce = begin.attempt;
  attempt_.began_seconds = begin.t;
  attempt_.ending = model::ending::RankLost{"its journal has no end of this attempt"};
  if (!begin.head) return blame("the journal's begin line has no head");
  const journal::Head& head = *begin.head;
  attempt_.step = head.step;
  attempt_.number = head.number;
  attempt_.rank = head.rank;
  attempt_.member = head.member;
  attempt_.members = head.members;
  attempt_.confirms = head.confirms;
  attempt_.narrows = head.narrows;
  attempt_.host = head.host;
  attempt_.bench = head.bench;
  attempt_.backend = head.backend;
  attempt_.arguments = head.arguments;
  attempt_.device = head.device;
  attempt_.subject = head.subject;
  ends_ = head.ends;
}

void Transcript::blame(const std::string& what) {
  if (garbled_.empty()) garbled_ = what;
}

void Transcript::take(const journal::Out& out) {
  if (!out.utf8) return blame("a line of its output is not UTF-8");
  if (!out.whole) return blame("its last line has no newline: " + out.text.substr(0, 80));
  try {
    take_record(read_record(out.text));
  } catch (const BadRecord& error) {
    blame(fmt::format("line {} of its output: {}", records_ + 1, error.what()));
  }
}

void Transcript::take_record(const Incoming& incoming) {
  ++records_;
  if (held_.too_much) return;
  if (incoming.nonce != attempt_.nonce) {
    return blame(fmt::format("record {} carries the nonce '{}', not its own", records_,
                             incoming.nonce.substr(0, 80)));
  }
  if (end_record_) return blame("it said something after 'end'");
  const bool hello = std::holds_alternative<protocol::Hello>(incoming.record);
  if (hello != (records_ == 1)) return blame("'hello' must be the first record and come once");
  std::visit(
      [&](const auto& record) {
        using T = std::decay_t<decltype(record)>;
        if constexpr (std::is_same_v<T, protocol::Phase>) {
          phase_ = record;
        } else if constexpr (std::is_same_v<T, protocol::Note>) {
          if (record.facts.contains("event")) {
            events_.push_back(record);
            return;
          }
          std::string line = record.text;
          for (const auto& [key, value] : record.facts) {
            line += fmt::format(" {}={}", key, model::to_text(value));
          }
          take_note(std::move(line));
        } else if constexpr (std::is_same_v<T, protocol::Device>) {
          take_note(fmt::format("device {} {}", record.id, record.name));
        } else if constexpr (std::is_same_v<T, protocol::End>) {
          end_record_ = record;
        } else {
          take(record);
        }
      },
      incoming.record);
}

void Transcript::take(const protocol::Hello& hello) {
  if (hello.bench != attempt_.bench || hello.backend != attempt_.backend) {
    blame(fmt::format("it calls itself {}-{}", hello.bench, hello.backend));
  }
  attempt_.version = hello.version;
  attempt_.build = hello.build;
  attempt_.build["commit"] = hello.commit;
  attempt_.libraries = hello.libraries;
  attempt_.fault_injected = hello.fault_injected;
}

void Transcript::take(const protocol::Token& token) {
  if (token_) return blame("it gave a second token");
  token_ = token;
  if (const std::string problem = protocol::problem_of(token); !problem.empty()) blame(problem);
}

void Transcript::take(const protocol::Sample& sample) {
  held_.series_values += sample.values.size();
  if (held_.series_values > kMaxSeriesValues) {
    series_ = {};
    return blame("it sent more than 4,000,000 samples");
  }
  if (named_series_.contains(sample.series)) {
    return blame(
        fmt::format("samples of series {} come after the metric that names it", sample.series));
  }
  auto& series = series_[sample.series];
  series.insert(series.end(), sample.values.begin(), sample.values.end());
}

void Transcript::take(const protocol::Check& check) {
  if (check_places_.contains(check.name)) {
    return blame("two checks are called " + check.name);
  }
  model::CheckResult result{check.name, check.passed, check.detail, check.compared, check.wrong};
  result.digest = check.digest;
  if (check.first_wrong) {
    result.first_wrong_where = check.first_wrong->where;
    result.first_wrong_got = check.first_wrong->got;
    result.first_wrong_want = check.first_wrong->want;
    result.first_wrong_rank = check.first_wrong->rank;
    result.first_wrong_from = check.first_wrong->from;
  }
  hold(0, bytes_of(result));
  attempt_.checks.push_back(std::move(result));
  // Behind it: a place that is told is there.
  check_places_[check.name] = attempt_.checks.size() - 1;
}

void Transcript::take(const protocol::Metric& metric) {
  const bool wide =
      metric.subject.kind == SubjectKind::kGroup || metric.subject.kind == SubjectKind::kLink;
  if (wide && attempt_.member > 0) {
    return blame(fmt::format("member {} spoke for its group; only member 0 may", attempt_.member));
  }
  hold(metric);
  if (held_.too_much) return;
  model::Measurement measurement;
  measurement.metric = metric.name;
  measurement.unit = metric.unit;
  measurement.better = metric.better;
  measurement.statistic = metric.statistic;
  measurement.value = metric.value;
  if (metric.series) {
    const auto sent = series_.find(*metric.series);
    if (sent == series_.end()) {
      return blame(fmt::format("{} names series {}, of which no sample went ahead", metric.name,
                               *metric.series));
    }
    named_series_.insert(*metric.series);
    measurement.samples = sent->second;
  } else {
    measurement.samples = metric.samples;
  }
  measurement.parameters = metric.parameters;
  measurement.conditions = metric.conditions;
  measurement.subject = subject_of(metric.subject);
  measurement.attempt = attempt_.nonce;
  if (const std::string problem = problem_of_value(metric, measurement.samples); !problem.empty()) {
    blame(problem);
  }
  const model::CellKey key(attempt_.step, measurement.subject, measurement.metric,
                           measurement.parameters);
  if (!answered_.insert(key).second) {
    return blame(fmt::format("it gave two answers for {} {}", metric.name,
                             model::to_text(measurement.parameters)));
  }
  if (measurements_.size() >= kMaxMeasurements) return blame("it gave more than 100,000 metrics");
  measurements_.emplace_back(std::move(measurement), metric.check);
}

// In a group the ends of a link are numbers of members.
model::Subject Transcript::link_of(const protocol::Subject& said) {
  const auto member = [&](const std::string& text) -> std::optional<std::size_t> {
    std::size_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || stop != end || number >= ends_.size()) return std::nullopt;
    return number;
  };
  const auto near = member(said.id);
  const auto far = member(said.peer);
  model::Subject link;
  link.kind = SubjectKind::kLink;
  if (!near || !far || *near >= *far) {
    blame(fmt::format("a link from '{}' to '{}': expected two of the {} members, the lower first",
                      said.id.substr(0, 80), said.peer.substr(0, 80), ends_.size()));
    return link;
  }
  std::tie(link.host, link.device) = ends_[*near];
  std::tie(link.peer_host, link.peer_device) = ends_[*far];
  return link;
}

model::Subject Transcript::subject_of(const protocol::Subject& said) {
  // A bench knows no hosts: what it leaves open is what the harness gave it to run on.
  model::Subject subject = attempt_.subject;
  switch (said.kind) {
    case SubjectKind::kGroup:
      break;
    case SubjectKind::kNode:
      if (attempt_.subject.kind != SubjectKind::kNode) {
        subject = {};
        subject.host = attempt_.host;
      }
      break;
    case SubjectKind::kDevice:
      subject = {};
      subject.kind = SubjectKind::kDevice;
      subject.host = attempt_.host;
      subject.device = said.id;
      break;
    case SubjectKind::kLink:
      if (attempt_.members > 0) return link_of(said);
      subject = {};
      subject.kind = SubjectKind::kLink;
      subject.host = attempt_.host;
      subject.device = said.id;
      subject.peer_host = attempt_.host;
      subject.peer_device = said.peer;
      break;
  }
  return subject;
}

void Transcript::take(const journal::End& end) {
  over_ = true;
  settle();
  attempt_.seconds = end.seconds;
  attempt_.stderr_tail = end.err;
  attempt_.load = end.load;
  attempt_.progress = end.progress;
  dropped_ = end.dropped_lines;
  leftovers_ = end.leftovers;
  oom_kills_ = static_cast<int>(end.oom_kills);
  if (dropped_ > 0)
    blame(fmt::format("{} lines of its output were too many or too long", dropped_));
  attempt_.ending = classify(end);
}

model::Ending Transcript::classify(const journal::End& end) const {
  namespace ending = model::ending;
  if (!end.spawn_error.empty()) return ending::SpawnFailed{end.spawn_error};
  if (!end.wedged_state.empty()) return ending::Wedged{attempt_.seconds, end.wedged_state};
  if (!end.cancelled_by.empty()) return ending::Cancelled{end.cancelled_by};
  if (end.timed_out) return ending::TimedOut{attempt_.seconds, end.killed, end.state};
  if (end.signal != 0) return ending::Signalled{end.signal};
  const std::int64_t said = end.exit_code;
  if (said < 0 || said > kMostExitCode) {
    return ending::Garbled{0, fmt::format("its journal says that it exited with {}", said)};
  }
  const int code = static_cast<int>(said);
  if (code == 127 && records_ == 0) {
    return ending::SpawnFailed{"exit code 127 before it said anything: " +
                               attempt_.stderr_tail.substr(0, 300)};
  }
  if (!garbled_.empty()) return ending::Garbled{code, garbled_};
  if (!end_record_) {
    return ending::Truncated{code,
                             records_ == 0 ? "it said nothing" : "its last record is not 'end'"};
  }
  if (end_record_->exit_code != code) {
    return ending::Garbled{
        code, fmt::format("it exited with {} but its 'end' says {}", code, end_record_->exit_code)};
  }
  const bool wrong = std::any_of(attempt_.checks.begin(), attempt_.checks.end(),
                                 [](const auto& check) { return !check.passed; });
  if (wrong && code == 0) return ending::Garbled{code, "a check failed, yet it exited with 0"};
  if (end.leaked || leftovers_ > 0) {
    return ending::Leaked{
        code, end.leaked ? "something that it left behind kept its output open"
                         : fmt::format("{} processes that it left behind were killed", leftovers_)};
  }
  return ending::Completed{code};
}

}  // namespace rackproof::ingest

#include "harness/assemble/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <new>

#include "harness/assemble/amended.hpp"
#include "harness/assemble/events.hpp"
#include "harness/assemble/hangs.hpp"
#include "harness/assemble/hidden_devices.hpp"
#include "harness/assemble/reading.hpp"
#include "harness/assemble/recorded.hpp"
#include "harness/assemble/slow_builds.hpp"
#include "harness/assemble/sources.hpp"
#include "harness/assemble/strangers.hpp"
#include "harness/cause/explain.hpp"
#include "harness/judge/judge.hpp"
#include "harness/peers/guard.hpp"
#include "harness/plan/plan.hpp"
#include "harness/support/clock.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::assemble {
namespace {

using model::RankState;
using model::Severity;

void add_finding(model::Report& report, const char* id, Severity severity, std::string subject,
                 std::string text, std::string step = "") {
  model::Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.subject = std::move(subject);
  finding.text = std::move(text);
  finding.step = std::move(step);
  report.findings.push_back(std::move(finding));
}

std::string rank_label(const model::RankInfo& rank) {
  return fmt::format("rank {} on {}", rank.rank, rank.host.empty() ? "an unknown host" : rank.host);
}

// A rank whose process went away under its warden.
bool is_gone(const RankJournal& journal) {
  const auto reason = journal.close_reason.id;
  return reason == model::CloseReason::kRankGone || reason == model::CloseReason::kRankStopped;
}

std::string how_it_went(const RankJournal& journal) {
  return journal.close_reason.id == model::CloseReason::kRankStopped
             ? "stood still, stopped by a signal, and was ended at " + journal.close_utc
             : "vanished at " + journal.close_utc;
}

std::string and_reached(const std::string& step) {
  return step.empty() ? "" : "; the last step it reached was " + step;
}

// Launchers ask the other ranks to stop when one of them dies: that is no wish of a user.
std::string why_asked(const Reading& reading, const Segment& segment) {
  const RankJournal* first = nullptr;
  for (const RankJournal& journal : reading.journals) {
    // Rank 0 was there to be asked.
    if (journal.segment != segment.number || journal.rank == 0 || !is_gone(journal)) continue;
    if (journal.close_utc > segment.stopping_utc) continue;
    if (first == nullptr || journal.close_utc < first->close_utc) first = &journal;
  }
  if (first == nullptr) return "";
  return fmt::format(", after rank {} on {} {}", first->rank, first->host, how_it_went(*first));
}

void fill_run(Reading& reading) {
  model::RunInfo& run = reading.report.run;
  run.seconds = 0;
  for (const auto& [number, segment] : reading.segments) {
    if (number >= reading.repaired_in) run.seconds += segment.seconds;
  }
  const Segment& last = reading.segments.rbegin()->second;
  run.segments = static_cast<int>(reading.segments.size());
  run.ended_utc = last.ended_utc;
  run.completed = last.ended && last.completed;
  run.interrupted = last.interrupted;
  const auto& platforms = reading.report.platforms;
  if (run.platform_choice == model::PlatformChoice::kRecognised &&
      std::all_of(platforms.begin(), platforms.end(), [](const auto& t) { return t.generic; })) {
    run.platform_choice = model::PlatformChoice::kNoneMatched;
  }
  const int first = reading.repaired_in;
  const auto resumed = std::count_if(reading.segments.begin(), reading.segments.end(),
                                     [&](const auto& one) { return one.first > first; }) -
                       (first == 0 ? 1 : 0);
  if (resumed > 0) {
    add_finding(reading.report, model::finding_id::kResumed, Severity::kInfo, "the run",
                fmt::format("the run was resumed {} time(s)", resumed));
  }
  if (run.interrupted) {
    add_finding(reading.report, model::finding_id::kInterrupted, Severity::kWarning, "the run",
                "the run was asked to stop before it was through" + why_asked(reading, last));
  }
  if (!last.planned) {
    run.completed = false;
    add_finding(reading.report, model::finding_id::kJournalDamaged, Severity::kError, "the run",
                "its plan is not whole in the journal: what the run owed is not known");
  }
}

// What each part of a resumed run was made with. One whose plan was never whole gave no result.
void fill_segments(Reading& reading) {
  std::vector<model::SegmentInfo>& segments = reading.report.segments;
  for (const auto& [number, segment] : reading.segments) {
    if (segment.planned) segments.push_back(segment.made_with);
  }
  if (segments.size() < 2) segments.clear();
}

// Rank 0 is through when it wrote the end of the run; its journal may still be open then.
RankState state_of(const Reading& reading, const model::RankInfo& rank, std::string& detail) {
  const Segment& segment = reading.segments.rbegin()->second;
  const RankJournal* journal = journal_of(reading, segment.number, rank.rank);
  if (reading.never_arrived.contains(rank.rank)) {
    detail = "did not arrive at the start";
    return RankState::kNeverArrived;
  }
  if (const auto lost = reading.lost.find(rank.rank); lost != reading.lost.end()) {
    detail = lost->second.why;
    return RankState::kLost;
  }
  if (rank.rank == 0 && segment.ended) return RankState::kFinished;
  if (journal != nullptr && is_gone(*journal)) {
    detail = "its process " + how_it_went(*journal) + and_reached(journal->last_step);
    return RankState::kLost;
  }
  if (journal != nullptr && journal->closed) return RankState::kFinished;
  // Everybody takes leave of rank 0, whose journal is closed last: by then the others are.
  const RankJournal* first = journal_of(reading, segment.number, 0);
  const bool all_closed = first != nullptr && first->closed;
  const bool own = journal != nullptr && !is_gathered(journal->name);
  if (segment.ended && !(own && all_closed)) return RankState::kFinished;
  detail = journal == nullptr ? "there is no journal of it" : "its journal ends in the middle";
  return RankState::kLost;
}

struct Vanished {
  double when;  // by the clock of rank 0's host
  const model::RankInfo* rank;
  const RankJournal* journal;
};

// Hosts' clocks may be minutes apart: without the offset, the wrong rank would be the first.
Vanished vanished_rank(const model::Report& report, const model::RankInfo& rank,
                       const RankJournal& journal) {
  double offset = 0;
  for (const model::NodeInventory& node : report.nodes) {
    if (node.host == rank.host)
      offset = model::number_of(node, model::fact_name::kClockOffsetSeconds).value_or(0);
  }
  return {model::unix_seconds(journal.close_utc).value_or(0) - offset, &rank, &journal};
}

void add_lost(model::Report& report, Severity severity, const model::RankInfo& rank,
              const std::string& what, const std::string& last_step) {
  const std::string label = rank_label(rank);
  add_finding(report, model::finding_id::kRankLost, severity, label, label + what, last_step);
  report.findings.back().evidence = {{"rank", std::int64_t{rank.rank}}, {"host", rank.host}};
}

// A rank whose warden could not even close the journal, or that rank 0 missed: its host went.
bool went_without_a_word(const Reading& reading, const model::RankInfo& rank,
                         const RankJournal* journal) {
  if (reading.lost.contains(rank.rank)) return true;
  return journal != nullptr && !is_gathered(journal->name) && !journal->closed;
}

// When one rank dies, the launcher ends the others: the first one gone is the one to look at,
// unless one went without a word, which is what a host does.
void add_vanished(model::Report& report, std::vector<Vanished>& vanished,
                  const std::string& silent) {
  std::stable_sort(vanished.begin(), vanished.end(),
                   [](const Vanished& a, const Vanished& b) { return a.when < b.when; });
  for (std::size_t i = 0; i < vanished.size(); ++i) {
    const auto& [when, rank, journal] = vanished[i];
    const bool first = i == 0 && silent.empty();
    std::string order = vanished.size() > 1 ? ", before the others" : "";
    if (!first) order = ", after " + (silent.empty() ? rank_label(*vanished[0].rank) : silent);
    add_lost(report, first ? Severity::kError : Severity::kWarning, *rank,
             " " + how_it_went(*journal) + order + and_reached(journal->last_step),
             journal->last_step);
  }
}

void fill_ranks(Reading& reading) {
  model::Report& report = reading.report;
  const int segment = reading.segments.rbegin()->first;
  std::vector<Vanished> vanished;
  std::string silent;
  for (model::RankInfo& rank : report.ranks) {
    rank.state = state_of(reading, rank, rank.detail);
    if (rank.state == RankState::kFinished) continue;
    report.run.completed = false;
    const RankJournal* journal = journal_of(reading, segment, rank.rank);
    const auto given_up = reading.lost.find(rank.rank);
    if (rank.state == RankState::kLost && given_up == reading.lost.end() && journal != nullptr &&
        is_gone(*journal)) {
      vanished.push_back(vanished_rank(report, rank, *journal));
    } else {
      add_lost(report, Severity::kError, rank, ": " + rank.detail,
               given_up == reading.lost.end() ? "" : given_up->second.last_step);
      if (silent.empty() && went_without_a_word(reading, rank, journal)) silent = rank_label(rank);
    }
  }
  add_vanished(report, vanished, silent);
}

void fill_steps(Reading& reading) {
  const Segment& last = reading.segments.rbegin()->second;
  for (model::StepInfo& step : reading.report.steps) {
    if (step.state == model::StepState::kSkipped || model::is_left_out(step)) continue;
    const auto known = reading.steps.find(step.id);
    if (known == reading.steps.end()) {
      if (!last.ended) step.reason = {model::StepReason::kRankLost};
      continue;
    }
    if (known->second.state == model::StepState::kBegun) {
      known->second = {model::StepState::kStopped, {model::StepReason::kRankLost}};
    }
    step.state = known->second.state;
    step.reason = known->second.reason;
  }
}

void fill_rolls(Reading& reading) {
  std::map<int, std::string> labels;
  for (const auto& rank : reading.report.ranks) labels[rank.rank] = rank_label(rank);
  for (const ingest::Roll& roll : reading.rolls) {
    for (const int rank : roll.missing) {
      add_finding(reading.report, model::finding_id::kLateRank, Severity::kError, labels[rank],
                  labels[rank] + " did not come to step " + roll.step, roll.step);
    }
  }
}

void note_oddities(model::Report& report, const model::Attempt& attempt,
                   const ingest::Oddities& odd) {
  const std::string who =
      fmt::format("{}-{} on {}", attempt.bench, attempt.backend, model::label(attempt.subject));
  if (odd.dropped_output) {
    add_finding(report, model::finding_id::kFloodedOutput, Severity::kWarning, who,
                who + " printed more than is kept; the rest was dropped", attempt.step);
  }
  if (odd.leftovers > 0) {
    add_finding(report, model::finding_id::kLeftoverProcess, Severity::kWarning, who,
                fmt::format("{} left {} process(es) behind; they were killed", who, odd.leftovers),
                attempt.step);
  }
  if (odd.oom_kills > 0) {
    add_finding(report, model::finding_id::kOutOfMemory, Severity::kError, who,
                fmt::format("while {} ran, the kernel killed {} process(es) of this job for want "
                            "of memory",
                            who, odd.oom_kills),
                attempt.step);
  }
  if (!attempt.fault_injected.empty()) {
    add_finding(report, model::finding_id::kFaultInjected, Severity::kError, who,
                who + " ran with a test-only fault (" + attempt.fault_injected + ")", attempt.step);
  }
}

// What is told first does not depend on who tells it, and when.
void order_attempts(Reading& reading) {
  model::Report& report = reading.report;
  std::map<std::string, std::size_t> step_at;
  for (std::size_t i = 0; i < report.steps.size(); ++i) step_at[report.steps[i].id] = i;
  std::erase_if(report.attempts, [&](const auto& one) { return !step_at.contains(one.step); });
  const auto begun = [](const model::Attempt& a) {
    return std::tuple(a.resumed, a.rank, a.began_seconds);
  };
  std::stable_sort(report.attempts.begin(), report.attempts.end(),
                   [&](const auto& a, const auto& b) { return begun(a) < begun(b); });
  for (const model::Attempt& attempt : report.attempts) {
    const auto odd = reading.odd.find(attempt.nonce);
    note_oddities(report, attempt, odd == reading.odd.end() ? ingest::Oddities{} : odd->second);
  }
  const auto place = [&](const model::Attempt& a) {
    return std::tuple(a.resumed, step_at[a.step], model::label(a.subject), a.number, a.rank,
                      a.member);
  };
  std::stable_sort(report.attempts.begin(), report.attempts.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

void order_measurements(model::Report& report) {
  std::map<std::string, std::size_t> at;
  for (std::size_t i = 0; i < report.attempts.size(); ++i) {
    at.try_emplace(report.attempts[i].nonce, i);
  }
  const auto earlier = [&](const model::Measurement& a, const model::Measurement& b) {
    return at[a.attempt] < at[b.attempt];
  };
  for (model::Cell& cell : report.cells) {
    std::stable_sort(cell.measurements.begin(), cell.measurements.end(), earlier);
    std::stable_sort(cell.confirmations.begin(), cell.confirmations.end(), earlier);
  }
}

void note_strangers(model::Report& report) {
  Strangers all_strangers;
  for (model::Attempt& attempt : report.attempts) {
    if (attempt.measurements.empty()) continue;
    const model::Measurement& last = attempt.measurements.back();
    all_strangers.note(attempt, attempt.measurements.size(),
                       plan::cell_id(attempt.step, last.subject, last.metric, last.parameters));
    attempt.measurements.clear();
  }
  all_strangers.tell(report);
}

void fill_damages(Reading& reading) {
  for (const RankJournal& journal : reading.journals) {
    for (const ingest::Damage& damage : journal.damages) {
      add_finding(reading.report, model::finding_id::kJournalDamaged,
                  damage.torn_tail ? Severity::kWarning : Severity::kError, journal.name,
                  fmt::format("{}:{}: the line {}", journal.name, damage.line, damage.what));
      // A line that is gone in the middle may have been a result or a failure.
      if (!damage.torn_tail) reading.report.run.completed = false;
    }
  }
}

}  // namespace

void explain(model::Report& report) {
  constexpr const char* kCauses = "causes";
  try {
    cause::explain(report);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    for (model::Cell& cell : report.cells) cell.causes.clear();
    const bool known = std::any_of(
        report.findings.begin(), report.findings.end(), [](const model::Finding& finding) {
          return finding.id == model::finding_id::kReportPartFailed && finding.subject == kCauses;
        });
    if (!known) peers::note_failed_part(report, kCauses, error.what());
  }
}

model::Report report_of(Reading reading, const Recordings& recordings) {
  fill_sources(reading);
  fill_run(reading);
  fill_segments(reading);
  fill_ranks(reading);
  fill_steps(reading);
  fill_rolls(reading);
  fill_damages(reading);
  order_attempts(reading);
  fill_recordings(reading, recordings);
  fill_events(reading);
  note_hangs(reading.report);
  note_slow_builds(reading.report);
  note_hidden_devices(reading.report);
  order_measurements(reading.report);
  fill_amends(reading);
  note_strangers(reading.report);
  std::sort(reading.report.nodes.begin(), reading.report.nodes.end(),
            [](const auto& a, const auto& b) { return a.host < b.host; });
  judge::judge(reading.report);
  explain(reading.report);
  return std::move(reading.report);
}

model::Report assemble(const std::vector<JournalFile>& journals, const Recordings& recordings) {
  return report_of(read(journals), recordings);
}

}  // namespace rackproof::assemble

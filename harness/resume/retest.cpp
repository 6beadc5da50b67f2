#include "harness/resume/retest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "harness/crew/endings.hpp"
#include "harness/resume/again.hpp"
#include "harness/resume/resume.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/reason_id.hpp"
#include "reports/model/utc.hpp"

namespace rackproof::resume {
namespace {

constexpr std::size_t kSubjectsInALine = 256;

bool is_repaired_by(const model::Subject& subject, const model::Repair& repair) {
  const auto at = [&](const std::string& host, const std::string& device) {
    if (host != repair.host) return false;
    return repair.device.empty() || device.empty() || device == repair.device;
  };
  if (at(subject.host, subject.device)) return true;
  if (!subject.peer_host.empty() && at(subject.peer_host, subject.peer_device)) return true;
  const auto& members = subject.members;
  return std::find(members.begin(), members.end(), repair.host) != members.end();
}

/// When segments were begun, by their number.
class Dates {
 public:
  explicit Dates(const model::Report& report) {
    for (const model::SegmentInfo& segment : report.segments) {
      began_[segment.segment] = model::unix_seconds(segment.began_utc);
    }
    if (report.segments.empty()) began_[1] = model::unix_seconds(report.run.began_utc);
  }

  bool is_within(const model::Attempt& attempt, double oldest, double now) const {
    const auto found = began_.find(attempt.resumed + 1);
    if (found == began_.end() || !found->second) return false;
    return *found->second >= oldest && *found->second <= now;
  }

 private:
  std::map<int, std::optional<double>> began_;
};

/// One step: what was measured in it, and what of that counts no more.
struct Measured {
  bool done = false;
  bool together = false;  ///< over groups: there is no measuring a part of it
  bool over = false;      ///< nothing of it counts
  std::map<std::string, model::Subject> instances;  ///< by label
  std::set<std::string> bad;                        ///< labels
};

void look_at_attempts(const model::Report& before, const std::vector<model::Repair>& repairs,
                      double oldest, double now, std::map<std::string, Measured>& steps) {
  const Dates dates(before);
  using Process = std::tuple<std::string, std::string, int, int>;
  std::map<Process, bool> went_well;  // the last attempt
  for (const model::Attempt& attempt : before.attempts) {
    const auto step = steps.find(attempt.step);
    if (step == steps.end() || attempt.narrows) continue;
    const std::string label = model::label(attempt.subject);
    step->second.instances.try_emplace(label, attempt.subject);
    step->second.together = step->second.together || attempt.members > 0;
    went_well[{attempt.step, label, attempt.rank, attempt.member}] = crew::is_clean(attempt.ending);
    // A process on a repaired host measured it, whatever it is called.
    const bool there = std::any_of(repairs.begin(), repairs.end(), [&](const auto& repair) {
      return repair.host == attempt.host && repair.device.empty();
    });
    if (there || is_repaired(attempt.subject, repairs) || !attempt.fault_injected.empty() ||
        !dates.is_within(attempt, oldest, now)) {
      step->second.bad.insert(label);
    }
  }
  for (const auto& [process, well] : went_well) {
    if (!well) steps[std::get<0>(process)].bad.insert(std::get<1>(process));
  }
}

void look_at_cells(const model::Report& before, const std::vector<model::Repair>& repairs,
                   std::map<std::string, Measured>& steps) {
  std::map<std::string, std::string> label_of;  // by nonce
  for (const model::Attempt& attempt : before.attempts) {
    label_of[attempt.nonce] = model::label(attempt.subject);
  }
  for (const model::Cell& cell : before.cells) {
    const auto found = steps.find(cell.step);
    if (found == steps.end()) continue;
    Measured& step = found->second;
    step.over = step.over || is_by_peers(cell);
    if (is_good(cell) && !is_repaired(cell.subject, repairs)) continue;
    step.done = false;
    for (const auto& [label, subject] : step.instances) {
      if (measures(subject, cell.subject)) step.bad.insert(label);
    }
    // Whatever the attempts that measured it are called.
    for (const auto* list : {&cell.measurements, &cell.confirmations}) {
      for (const model::Measurement& one : *list) step.bad.insert(label_of[one.attempt]);
    }
  }
}

}  // namespace

bool is_repaired(const model::Subject& subject, const std::vector<model::Repair>& repairs) {
  return std::any_of(repairs.begin(), repairs.end(),
                     [&](const auto& repair) { return is_repaired_by(subject, repair); });
}

std::vector<journal::Kept> kept_after(const model::Report& before,
                                      const std::vector<model::Repair>& repairs, double oldest_unix,
                                      double now_unix) {
  std::map<std::string, Measured> steps;
  for (const model::StepInfo& info : before.steps) {
    Measured& step = steps[info.id];
    step.done = info.state == model::StepState::kDone;
    step.together = info.placement == "world" || info.placement == "groups";
  }
  look_at_attempts(before, repairs, oldest_unix, now_unix, steps);
  look_at_cells(before, repairs, steps);
  for (const model::Finding& finding : before.findings) {
    const auto step = steps.find(finding.step);
    if (step == steps.end()) continue;
    // Whom it would have accused is not known, nor which link of a part that is behind would pass.
    const bool behind =
        finding.id == model::finding_id::kLocalised && finding.severity >= model::Severity::kError;
    step->second.over =
        step->second.over || behind || finding.id == model::finding_id::kPeerUnconfirmed;
  }
  std::vector<journal::Kept> all;
  for (const model::StepInfo& info : before.steps) {
    const Measured& step = steps[info.id];
    const bool done = step.done && step.bad.empty() && !step.over;
    if (!done && (step.over || step.together)) continue;
    std::vector<std::string> kept;
    for (const auto& [label, subject] : step.instances) {
      if (!step.bad.contains(label)) kept.push_back(label);
    }
    if (!done && kept.empty()) continue;
    for (std::size_t at = 0; at == 0 || at < kept.size(); at += kSubjectsInALine) {
      const auto end = std::min(kept.size(), at + kSubjectsInALine);
      all.push_back({info.id,
                     done,
                     {kept.begin() + static_cast<std::ptrdiff_t>(at),
                      kept.begin() + static_cast<std::ptrdiff_t>(end)}});
    }
  }
  return all;
}

std::vector<std::string> wrong_elsewhere(const model::Report& before,
                                         const std::vector<model::Repair>& repairs) {
  std::set<std::string> wrong;
  for (const model::Cell& cell : before.cells) {
    const std::string& reason = cell.verdict.reason_id;
    const bool grave = reason == model::reason_id::kWrongAnswer ||
                       reason == model::reason_id::kDigestMismatch ||
                       reason == model::reason_id::kHardwareFault;
    if (!grave || cell.verdict.outcome != model::Outcome::kFail) continue;
    if (!is_repaired(cell.subject, repairs)) wrong.insert(model::label(cell.subject));
  }
  for (const model::Attempt& attempt : before.attempts) {
    const bool failed = crew::is_wrong_answer(attempt.ending) ||
                        std::any_of(attempt.checks.begin(), attempt.checks.end(),
                                    [](const auto& check) { return !check.passed; });
    if (failed && !is_repaired(attempt.subject, repairs)) {
      wrong.insert(model::label(attempt.subject));
    }
  }
  return {wrong.begin(), wrong.end()};
}

void retest_from(const model::Report& before, const model::Amends& amends,
                 std::vector<journal::Kept> kept, Request& request) {
  const std::string own_id = request.run_id;
  continue_from(before, request);
  request.run_id = own_id;
  request.done_steps.clear();
  request.failed_steps.clear();
  request.done_subjects.clear();
  for (const journal::Kept& one : kept) {
    if (one.done) request.done_steps.insert(one.step);
    for (const std::string& subject : one.subjects) {
      request.done_subjects.insert({one.step, subject});
    }
  }
  request.repairs = amends.repairs;
  request.amendment = Amendment{amends, std::move(kept)};
}

}  // namespace rackproof::resume

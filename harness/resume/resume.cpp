#include "harness/resume/resume.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/crew/endings.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/judge/judge.hpp"
#include "harness/resume/again.hpp"

namespace rackproof::resume {
namespace {

// As the run saw it when it had done the step: what was tried again and went well has not failed.
bool has_failed(const model::Report& before, const std::string& step) {
  std::map<std::pair<std::string, int>, bool> went_well;  // by subject and member, the last attempt
  for (const model::Attempt& attempt : before.attempts) {
    if (attempt.step != step || attempt.narrows) continue;
    went_well[{model::label(attempt.subject), attempt.member}] = crew::is_clean(attempt.ending);
  }
  return std::any_of(went_well.begin(), went_well.end(),
                     [](const auto& one) { return !one.second; });
}

// Whether what an attempt measured would be measured again, had the run gone on.
bool is_open(const model::Report& before, const std::vector<judge::Doubtful>& doubtful,
             const model::Attempt& attempt) {
  const auto step = std::find_if(before.steps.begin(), before.steps.end(),
                                 [&](const auto& one) { return one.id == attempt.step; });
  const int own = step == before.steps.end() ? 1 : step->attempts_allowed;
  if (step != before.steps.end() && attempt.number < step->repeat) return true;
  if (evidence::is_discounted(before.suite.policy, attempt)) {
    return attempt.number < evidence::attempts_when_disturbed(own);
  }
  return std::any_of(doubtful.begin(), doubtful.end(), [&](const judge::Doubtful& one) {
    return measures(attempt.subject, before.cells[one.cell].subject) &&
           attempt.number < judge::attempts_of(one.doubt, own);
  });
}

}  // namespace

int last_segment(support::Store& store) {
  int last = 0;
  for (const std::string& name : store.list("journals")) {
    int segment = 0;
    std::from_chars(name.data(), name.data() + name.size(), segment);
    last = std::max(last, segment);
  }
  return last;
}

void continue_from(const model::Report& before, Request& request) {
  request.run_id = before.run.id;
  request.segment = before.run.segments + 1;
  request.labels = before.run.labels;
  request.required = before.run.required;
  request.extent = before.run.extent;
  request.accept_unjudged = before.run.accept_unjudged;
  request.waivers = before.run.waivers;
  request.left_out_hosts = before.run.left_out_hosts;
  request.history = before.history;
  for (const model::StepInfo& step : before.steps) {
    if (step.state == model::StepState::kDone) request.done_steps.insert(step.id);
    if (step.state == model::StepState::kDone && has_failed(before, step.id))
      request.failed_steps.insert(step.id);
    if (model::is_left_out(step)) request.selection.left_out.insert(step.id);
    if (!step.only_hosts.empty()) request.selection.only_on[step.id] = step.only_hosts;
  }
  std::map<std::string, std::vector<judge::Doubtful>> doubtful;
  std::set<std::string> all_again;
  judge::SuspectFinder suspects(before);
  for (const model::Attempt& attempt : before.attempts) {
    if (request.done_steps.contains(attempt.step) || attempt.narrows) continue;
    const auto [of_step, fresh] = doubtful.try_emplace(attempt.step);
    if (fresh) {
      of_step->second = judge::find_doubtful(before, attempt.step);
      // What confirms them is compared with their peers as these were in the same segment.
      if (!suspects.find(attempt.step).empty()) all_again.insert(attempt.step);
    }
    if (all_again.contains(attempt.step)) continue;
    const std::pair key(attempt.step, model::label(attempt.subject));
    request.done_subjects.erase(key);
    if (crew::is_clean(attempt.ending) && !is_open(before, of_step->second, attempt)) {
      request.done_subjects.insert(key);
    }
  }
  // What may differ from its inventory is what was repaired before it began.
  if (before.amends) request.repairs = before.amends->repairs;
  request.earlier_nodes = before.nodes;
  for (const model::Cell& cell : before.cells) request.owed_cells.push_back(cell.id);
}

}  // namespace rackproof::resume

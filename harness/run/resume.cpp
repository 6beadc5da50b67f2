#include "harness/run/resume.hpp"

#include <algorithm>

#include "harness/run/endings.hpp"

namespace rackproof::run {
namespace {

// As the run saw it when it had done the step: what an interruption before left does not count.
bool has_failed(const model::Report& before, const std::string& step) {
  int last = 0;
  for (const model::Attempt& attempt : before.attempts) {
    if (attempt.step == step) last = std::max(last, attempt.resumed);
  }
  return std::any_of(
      before.attempts.begin(), before.attempts.end(), [&](const model::Attempt& attempt) {
        return attempt.step == step && attempt.resumed == last && !is_clean(attempt.ending);
      });
}

}  // namespace

void continue_from(const model::Report& before, Request& request) {
  request.run_id = before.run.id;
  request.segment = before.run.segments + 1;
  request.labels = before.run.labels;
  request.required = before.run.required;
  request.history = before.history;
  for (const model::StepInfo& step : before.steps) {
    if (step.state == "done") request.done_steps.insert(step.id);
    if (step.state == "done" && has_failed(before, step.id)) request.failed_steps.insert(step.id);
    if (step.state == "skipped" && step.reason == "left out by the selection") {
      request.selection.excludes.push_back(step.id);
    }
  }
  for (const model::Cell& cell : before.cells) request.owed_cells.push_back(cell.id);
}

}  // namespace rackproof::run

#include "harness/job/planned.hpp"

#include <unordered_map>

#include "harness/coverage/expected_limits.hpp"
#include "harness/evidence/context.hpp"
#include "harness/plan/where.hpp"
#include "reports/model/words.hpp"

namespace rackproof::job {
namespace {

void add_limits(model::PlannedCell& planned, const model::Cell& cell,
                const evidence::Context& context, const config::MetricCatalogue& catalogue) {
  const model::StepInfo* step = context.step(cell.step);
  const auto* kind = step == nullptr ? nullptr : coverage::kind_of(catalogue, cell, step->backend);
  if (kind == nullptr) return;
  planned.unit = kind->unit;
  const evidence::Platform platform = context.platform_of(cell.subject);
  if (platform.table == nullptr) return;
  const limits::Choice choice = coverage::limits_before(context, cell, *platform.table, *kind);
  if (choice.problem != nullptr || choice.limits.baseline == nullptr) return;
  planned.source = choice.limits.baseline->table + " " + choice.limits.baseline->id;
  if (choice.limits.by_correctness) return;
  planned.limit_low = choice.limits.low;
  planned.limit_high = choice.limits.high;
}

bool has_limit(const model::PlannedCell& cell) { return cell.limit_low || cell.limit_high; }

}  // namespace

model::PlannedRun planned_run(const plan::Plan& plan, const model::Report& report,
                              const config::MetricCatalogue& catalogue) {
  model::PlannedRun run;
  run.suite = report.suite.id;
  run.hosts = report.nodes.size();
  run.ranks = report.ranks.size();
  run.left_out_hosts = report.run.left_out_hosts;
  run.platform_of_host = report.platform_of_host;
  std::unordered_map<std::string, std::size_t> places;
  for (const model::StepInfo& info : plan.infos) {
    places.emplace(info.id, run.steps.size());
    model::PlannedStep& step = run.steps.emplace_back();
    step.id = info.id;
    step.program = info.bench + "-" + info.backend;
    step.left_out = model::is_left_out(info);
    step.only_hosts = info.only_hosts;
    if (!step.left_out && info.state == model::StepState::kSkipped) {
      step.skipped = model::to_text(info.reason);
    }
  }
  for (const plan::PlacedStep& placed : plan.steps) {
    model::PlannedStep& step = run.steps[places.at(placed.step.id)];
    step.where = plan::where_text(placed);
    step.takes_seconds = placed.step.takes_seconds * placed.step.repeat;
    step.deadline_seconds = placed.step.deadline_seconds;
  }
  const evidence::Context context(report);
  for (const model::Cell& cell : plan.cells) {
    model::PlannedCell& planned = run.cells.emplace_back(model::PlannedCell{cell.id,
                                                                            cell.step,
                                                                            cell.subject,
                                                                            cell.metric,
                                                                            cell.parameters,
                                                                            "",
                                                                            cell.required,
                                                                            cell.waived,
                                                                            {},
                                                                            {},
                                                                            ""});
    add_limits(planned, cell, context, catalogue);
    model::PlannedStep& step = run.steps[places.at(cell.step)];
    if (!cell.waived.empty()) {
      ++step.waived;
      continue;
    }
    ++step.cells;
    if (!cell.required) continue;
    ++step.required;
    step.limited += has_limit(planned) ? 1 : 0;
    step.unjudged += planned.source.empty() ? 1 : 0;
  }
  return run;
}

}  // namespace rackproof::job

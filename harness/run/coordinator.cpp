#include "harness/run/coordinator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "harness/evidence/disturbance.hpp"
#include "harness/learn/learn.hpp"
#include "harness/plan/where.hpp"
#include "harness/resume/owed.hpp"

namespace rackproof::run {
namespace {

/// Whether what a step measures may have enough peers to be measured again for their sake.
bool has_peers(const plan::PlacedStep& step, int least) {
  std::size_t parts = 0;
  for (const plan::Instance& instance : step.instances) {
    parts += std::max(instance.ranks.size(), instance.devices.size());
  }
  return std::cmp_greater_equal(parts, least);
}

/// "gemm-host on 2 nodes".
std::string describe(const plan::PlacedStep& step) {
  return fmt::format("{}-{} {}", step.step.bench, step.step.backend, plan::where_text(step));
}

// Steps that are collective over all ranks may be all that was selected.
void refuse_empty_plan(const plan::Plan& plan, const plan::Site& site) {
  if (site.left_out.empty()) return;
  if (std::all_of(plan.infos.begin(), plan.infos.end(), model::is_left_out)) {
    throw resume::Refused(
        "no step is left on the hosts that are to be tested: what is selected of the suite takes "
        "all ranks of the job, or more than one of them");
  }
}

// What bounds the metrics that will be judged: the judge reads nothing but the report.
void keep_bounds(const plan::Plan& plan, const resume::Request& request, RunLog& log) {
  std::set<std::string> metrics;
  for (const model::Cell& cell : plan.cells) metrics.insert(cell.metric);
  for (const model::MetricBound& bound : request.bounds) {
    if (metrics.contains(bound.metric)) log.append(journal::Bound{bound});
  }
}

}  // namespace

Coordinator::Coordinator(resume::Request request, Surroundings around, crew::Arrival self)
    : context_(std::move(request), std::move(around), std::move(self)) {}

const plan::Plan& Coordinator::prepare(bool record) {
  session_.open(record);
  if (!context_.request.nothing_owed.empty())
    throw resume::NothingOwed(context_.request.nothing_owed);
  Survey(context_, in_flight_, loads_, clocks_).run(record);
  make_plan();
  for (const model::History& history :
       learn::relevant_to(context_.live, context_.request.history)) {
    context_.log.append(journal::History{history});
  }
  if (record && context_.request.record) recorders_.start(session_.rosters());
  return plan_;
}

void Coordinator::make_plan() {
  const resume::Request& request = context_.request;
  plan::Site& site = context_.site;
  site.mpi = request.mpi;
  site.everyone = context_.crew.everyone();
  site.in_rank_benches = request.in_rank_programs;
  plan_ = plan::make_plan(request.suite, site, request.selection);
  refuse_empty_plan(plan_, site);
  if (!request.repairs.empty() && request.set_aside.empty()) {
    resume::refuse_lesser_plan(plan_, request);
  } else if (request.set_aside.empty()) {
    resume::refuse_other_plan(plan_, request);
  } else {
    resume::keep_owed_cells(plan_, request);
  }
  keep_bounds(plan_, request, context_.log);
  context_.log.plan(plan_);
}

Expected Coordinator::expected(std::size_t from) const {
  Expected expected;
  const auto takes = [](const config::Step& step) { return step.takes_seconds * step.repeat; };
  expected.step = takes(plan_.steps[from].step);
  expected.run_at_most = at_most_left(from);
  double sum = 0;
  for (std::size_t i = from; i < plan_.steps.size(); ++i) {
    if (plan_.steps[i].instances.empty()) continue;
    if (plan_.steps[i].step.takes_seconds <= 0) return expected;
    sum += takes(plan_.steps[i].step);
  }
  expected.run = std::min(sum, expected.run_at_most);
  return expected;
}

double Coordinator::at_most_left(std::size_t from) const {
  double sum = 0;
  const model::JudgePolicy& policy = context_.live.suite.policy;
  const bool may_repeat = policy.disturbed == model::Disturbed::kRepeat;
  const int confirmed = policy.peer_outlier_fails ? policy.peer_confirmations : 0;
  for (std::size_t i = from; i < plan_.steps.size(); ++i) {
    const auto& step = plan_.steps[i].step;
    const int measured =
        may_repeat ? evidence::attempts_when_disturbed(step.attempts) : step.attempts;
    sum += (step.deadline_seconds + step.grace_seconds) *
           (measured + (has_peers(plan_.steps[i], policy.peer_minimum) ? confirmed : 0));
  }
  if (may_repeat) sum += loads_.wait_left();
  return std::min(sum, context_.request.time_budget_seconds - context_.elapsed());
}

void Coordinator::perform() {
  const resume::Request& request = context_.request;
  bool completed = true;
  for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
    const config::Step& step = plan_.steps[i].step;
    if (request.done_steps.contains(step.id)) {
      if (request.failed_steps.contains(step.id) && step.failure_stops_run) {
        context_.stop = {model::StepReason::kStoppedByEarlierStep};
      }
      continue;
    }
    context_.look_for_stop();
    if (!context_.goes_on()) {
      context_.log.step(step.id, model::StepState::kNotReached, context_.stop);
      completed = completed && context_.stop.id == model::StepReason::kStoppedByEarlierStep;
      continue;
    }
    completed = run_step(i) && completed;
  }
  recorders_.stop();
  clocks_.note_jumps();
  context_.log.ended(completed && context_.crew.everyone(), context_.interrupted);
}

// Gives whether it could be done as it should.
bool Coordinator::run_step(std::size_t number) {
  const plan::PlacedStep& placed = plan_.steps[number];
  const config::Step& step = placed.step;
  Progress& progress = context_.around.progress;
  progress.begin_step(static_cast<int>(number) + 1, static_cast<int>(plan_.steps.size()), step.id,
                      describe(placed), expected(number));
  context_.log.step(step.id, model::StepState::kBegun, {});
  if (runner_.run(placed)) {
    confirmation_.run(placed);
    narrowing_.run(placed);
  }
  const bool stopped = !context_.goes_on();
  const bool failed = runner_.tally().failed();
  const auto why = stopped ? context_.stop : runner_.tally().held_up;
  context_.log.step(step.id, why.empty() ? model::StepState::kDone : model::StepState::kStopped,
                    why);
  progress.end_step(stopped                      ? "stopped"
                    : failed                     ? "done, with failures"
                    : loads_.disturbed().empty() ? "done"
                                                 : "done, disturbed by other programs");
  if (failed && step.failure_stops_run && !stopped) {
    context_.stop = {model::StepReason::kStoppedByEarlierStep};
  }
  return why.empty();
}

}  // namespace rackproof::run

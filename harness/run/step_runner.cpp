#include "harness/run/step_runner.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/crew/endings.hpp"
#include "harness/evidence/disturbance.hpp"
#include "harness/judge/judge.hpp"
#include "harness/resume/again.hpp"

namespace rackproof::run {
namespace {

bool meets(const std::set<std::string>& some, const std::set<std::string>& others) {
  return std::any_of(some.begin(), some.end(),
                     [&](const std::string& one) { return others.contains(one); });
}

int attempts_worth(const model::Report& live, const std::vector<judge::Doubtful>& doubtful,
                   const Pending& next) {
  int worth = 0;
  for (const judge::Doubtful& one : doubtful) {
    if (!resume::measures(instance_of(next).subject, live.cells[one.cell].subject)) continue;
    worth = std::max(worth, judge::attempts_of(one.doubt, next.step->step.attempts));
  }
  return worth;
}

/// Whether a group that lacks members is measured all the same. Whatever runs inside the ranks
/// calls them all first.
bool goes_short(const plan::PlacedStep& step) {
  const auto placement = step.step.placement;
  const bool group =
      placement == config::Placement::kWorld || placement == config::Placement::kGroups;
  return group && !step.in_rank;
}

}  // namespace

bool StepRunner::run(const plan::PlacedStep& step) {
  tally_ = {};
  loads_.begin_step();
  measured_.clear();
  postponed_.clear();
  // What lacks members that should have come is not what was asked for: a resumed run with
  // everybody has to do it again.
  if (!context_.site.everyone && goes_short(step)) {
    int missing = 0;
    while (!context_.crew.is_lost(missing)) ++missing;
    tally_.hold_up(model::StepReason::kRankLost, missing, context_);
  }
  if (step.in_rank) return run_in_ranks(step);
  run_processes(step);
  return true;
}

void StepRunner::run_processes(const plan::PlacedStep& step) {
  for (std::size_t i = 0; i < step.instances.size(); ++i) {
    const plan::Instance& instance = step.instances[i];
    const bool done =
        context_.request.done_subjects.contains({step.step.id, model::label(instance.subject)});
    if (step.group || !done) start({&step, i, 1, instance.ranks.front()});
  }
  await();
  while (context_.goes_on() && !(measured_.empty() && postponed_.empty())) {
    if (measured_.empty()) {
      repeat_disturbed();
    } else {
      repeat_doubtful(step);
    }
  }
}

void StepRunner::start(const Pending& next) {
  if (next.step->group) return groups_.start(next);
  if (context_.crew.is_lost(next.rank)) {
    return tally_.hold_up(model::StepReason::kRankLost, next.rank, context_);
  }
  if (!next.confirms) tally_.failed_instances.erase(next.instance);
  tally_.count(next);
  in_flight_.start(order_for(next, context_), next);
}

void StepRunner::await() {
  const double tick = 0.25;
  while (!in_flight_.empty()) {
    std::vector<crew::Ended> all_ended = context_.crew.wait(tick);
    groups_.pass_tokens();
    for (crew::Ended& ended : all_ended) settle(ended);
    in_flight_.lose_overdue();
    note_lost();
    groups_.look_after();
    context_.around.progress.tick(
        context_.around.local.phase(),
        {tally_.begun, tally_.begun - in_flight_.at_steps(), tally_.repeated});
    if (!context_.goes_on()) continue;
    context_.look_for_stop();
    if (!context_.goes_on()) in_flight_.cancel(crew::why_cancelled(context_.stop));
  }
}

void StepRunner::note_lost() {
  for (const crew::LostRank& lost : context_.take_lost()) {
    const std::vector<Pending> owed = in_flight_.of_rank(lost.rank);
    if (!owed.empty()) tally_.hold_up(model::StepReason::kRankLost, lost.rank, context_);
    for (const Outcome& outcome : groups_.lose(lost, owed)) follow(outcome);
  }
}

void StepRunner::settle(crew::Ended& ended) {
  if (loads_.take(ended) || recorders_.take(ended)) return;
  const std::optional<Pending> found = in_flight_.take(ended.attempt);
  if (!found) return;
  const Pending& pending = *found;
  context_.gathered.keep(ended);
  ingest::Transcript transcript = crew::take_transcript(ended);
  const auto phase = transcript.phase();
  if (pending.narrows) {
    // The report keeps none of them.
    std::vector<model::Measurement>& numbers = part_numbers_[pending.instance];
    for (model::Measurement& one : transcript.attempt().measurements) {
      numbers.push_back(std::move(one));
    }
  }
  const model::Attempt* const taken = context_.log.take(std::move(transcript), ended.rank);
  model::Attempt attempt;
  attempt.ending = model::ending::Garbled{0, "its journal does not say what began"};
  if (taken != nullptr) attempt = *taken;
  loads_.remember(attempt);
  const bool clean = crew::is_clean(attempt.ending);
  if (!clean) tally_.failed_instances.insert(pending.instance);
  if (!pending.group.empty()) {
    if (const auto outcome = groups_.settle(pending, attempt, phase)) follow(*outcome);
    return;
  }
  if (pending.step->in_rank || pending.confirms || !context_.goes_on()) return;
  if (!clean && !crew::is_transient(attempt.ending)) return;
  Outcome outcome;
  outcome.next = {pending.step, pending.instance, pending.number + 1, pending.rank};
  outcome.measured = clean;
  if (evidence::is_discounted(context_.live.suite.policy, attempt))
    outcome.disturbed = {attempt.host};
  follow(outcome);
}

void StepRunner::follow(const Outcome& outcome) {
  const Pending& next = outcome.next;
  const int allowed = next.step->step.attempts;
  const bool disturbed = !outcome.disturbed.empty();
  if (outcome.measured && !disturbed) {
    ++tally_.measured[next.instance];
    measured_.push_back(next);
    return;
  }
  const bool again =
      next.number <= (outcome.measured ? evidence::attempts_when_disturbed(allowed) : allowed);
  if (!again) return;
  if (disturbed) {
    postponed_.push_back({next, outcome.disturbed});
  } else {
    start(next);
  }
}

// Doubts are looked for when all of a step is measured: to look takes a pass over its cells.
void StepRunner::repeat_doubtful(const plan::PlacedStep& step) {
  const std::vector<Pending> all = std::exchange(measured_, {});
  const std::vector<judge::Doubtful> doubtful = judge::find_doubtful(context_.live, step.step.id);
  for (const Pending& next : all) {
    const bool owed = tally_.measured[next.instance] < step.step.repeat;
    const int worth = attempts_worth(context_.live, doubtful, next);
    if (next.number <= (owed ? std::max(worth, step.step.attempts) : worth)) start(next);
  }
  await();
}

void StepRunner::repeat_disturbed() {
  const std::vector<Postponed> all = std::exchange(postponed_, {});
  std::set<std::string> hosts;
  for (const Postponed& one : all) hosts.insert(one.hosts.begin(), one.hosts.end());
  const std::set<std::string> busy = loads_.await_quiet(hosts, [this] { await(); });
  if (!context_.goes_on()) return;
  for (const auto& [next, disturbed] : all) {
    if (!meets(disturbed, busy)) start(next);
  }
  await();
}

std::optional<std::vector<PartRun>> StepRunner::try_parts(const plan::PlacedStep& parts,
                                                          int round) {
  const Tally whole = std::exchange(tally_, {});
  part_numbers_.clear();
  for (std::size_t i = 0; i < parts.instances.size(); ++i) {
    Pending pending{&parts, i, round, parts.instances[i].ranks.front()};
    pending.narrows = true;
    start(pending);
  }
  await();
  const Tally made = std::exchange(tally_, whole);
  if (!context_.goes_on() || !made.held_up.empty()) return std::nullopt;
  std::vector<PartRun> runs(parts.instances.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].numbers = std::move(part_numbers_[i]);
    const auto fault = made.faults.find(i);
    if (fault != made.faults.end()) {
      runs[i].fault = fault->second;
    } else if (made.failed_instances.contains(i)) {
      runs[i].fault = GroupFault::kMember;
    }
  }
  return runs;
}

// Whatever runs in the ranks is collective over all that the launcher started: one that is lost, or
// that never arrived, would keep all others waiting.
bool StepRunner::all_answer(const plan::PlacedStep& step) {
  std::vector<int> ranks(static_cast<std::size_t>(context_.around.team.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto hurry = [this] { return context_.around.interrupts() > 0; };
  const std::vector<int> missing =
      context_.crew.roll_call(step.step.id, ranks, crew::kArrivalSeconds, hurry);
  note_lost();
  context_.look_for_stop();
  if (!context_.goes_on()) return false;
  if (missing.empty()) return true;
  context_.log.roll_call(step.step.id, missing);
  tally_.hold_up(model::StepReason::kLateRank, missing.front(), context_);
  return false;
}

bool StepRunner::run_in_ranks(const plan::PlacedStep& step) {
  for (int number = 1;; ++number) {
    if (!all_answer(step)) return false;
    if (number >= measure_in_ranks(step, number, false)) return true;
    const std::set<std::string>& disturbed = loads_.disturbed();
    if (disturbed.empty()) continue;
    if (!loads_.await_quiet(disturbed, [this] { await(); }).empty()) return false;
    if (!context_.goes_on()) return false;
  }
}

int StepRunner::measure_in_ranks(const plan::PlacedStep& step, int number, bool confirms) {
  std::vector<crew::Order> orders;
  const double left = context_.request.time_budget_seconds - context_.elapsed();
  int member = 0;
  for (const int rank : step.instances.front().ranks) {
    Pending pending{&step, 0, number, rank, member++};
    pending.confirms = confirms;
    orders.push_back(order_for(pending, context_));
    orders.back().deadline_seconds = std::max(1.0, std::min(step.step.deadline_seconds, left));
    tally_.count(pending);
    in_flight_.expect(orders.back(), pending);
  }
  context_.crew.go(orders);
  await();
  if (!context_.goes_on() || tally_.failed()) return 0;
  if (!loads_.disturbed().empty()) return evidence::attempts_when_disturbed(step.step.attempts);
  int worth = step.step.repeat;
  for (const judge::Doubtful& one : judge::find_doubtful(context_.live, step.step.id)) {
    worth = std::max(worth, judge::attempts_of(one.doubt, step.step.attempts));
  }
  return worth;
}

}  // namespace rackproof::run

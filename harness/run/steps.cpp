#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "harness/judge/disturbance.hpp"
#include "harness/judge/judge.hpp"
#include "harness/run/coordinator.hpp"
#include "harness/run/endings.hpp"
#include "reports/model/words.hpp"

// The part of rank 0's work after the plan: one step after the other.
namespace rackproof::run {
namespace {

// How long after its deadline and its grace an attempt may take to be told: what KILL does not end
// is given up after 10 s, what has ended is looked after for a moment, and messages take their
// time.
constexpr double kWordSeconds = 30;

std::string plural(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string members_of(const plan::PlacedStep& step) {
  std::size_t members = 0;
  for (const plan::Instance& instance : step.instances) members += instance.ranks.size();
  return plural(members, step.instances.front().devices.empty() ? "rank" : "device");
}

/// Whether what a step measures may have enough peers to be measured again for their sake.
bool has_peers(const plan::PlacedStep& step, int least) {
  std::size_t parts = 0;
  for (const plan::Instance& instance : step.instances) {
    parts += std::max(instance.ranks.size(), instance.devices.size());
  }
  return std::cmp_greater_equal(parts, least);
}

std::string describe(const plan::PlacedStep& step) {
  const std::string program = step.step.bench + "-" + step.step.backend;
  switch (step.step.placement) {
    case config::Placement::kNode:
      return fmt::format("{} ({} on {})", step.step.id, program,
                         plural(step.instances.size(), "node"));
    case config::Placement::kDevice:
      return fmt::format("{} ({} on {})", step.step.id, program,
                         plural(step.instances.size(), "device"));
    case config::Placement::kWorld:
      return fmt::format("{} ({} over {})", step.step.id, program, members_of(step));
    case config::Placement::kGroups:
      return fmt::format("{} ({} over {} in {})", step.step.id, program, members_of(step),
                         plural(step.instances.size(), "group"));
  }
  return step.step.id;
}

}  // namespace

double Coordinator::at_most_left(std::size_t from) const {
  double sum = 0;
  const model::JudgePolicy& policy = live_.suite.policy;
  const bool may_repeat = policy.disturbed == model::Disturbed::kRepeat;
  const int confirmed = policy.peer_outlier_fails ? policy.peer_confirmations : 0;
  for (std::size_t i = from; i < plan_.steps.size(); ++i) {
    const auto& step = plan_.steps[i].step;
    const int measured = may_repeat ? judge::attempts_when_disturbed(step.attempts) : step.attempts;
    sum += (step.deadline_seconds + step.grace_seconds) *
           (measured + (has_peers(plan_.steps[i], policy.peer_minimum) ? confirmed : 0));
  }
  if (may_repeat) sum += quiet_wait_left();
  return std::min(sum, request_.time_budget_seconds - (around_.clock.now() - began_));
}

model::Reason<model::StepReason> Coordinator::reason_to_stop() {
  if (around_.interrupts() > 0) {
    if (!std::exchange(interrupted_, true)) logbook_.stopping("interrupted");
    return {model::StepReason::kInterrupted};
  }
  if (around_.clock.now() - began_ >= request_.time_budget_seconds) {
    return {model::StepReason::kTimeBudget};
  }
  return {};
}

void Coordinator::perform() {
  const std::size_t of = plan_.steps.size();
  bool completed = true;
  for (std::size_t i = 0; i < of; ++i) {
    const plan::PlacedStep& step = plan_.steps[i];
    if (request_.done_steps.contains(step.step.id)) {
      const bool failed = request_.failed_steps.contains(step.step.id);
      if (failed && step.step.failure_stops_run)
        stop_reason_ = {model::StepReason::kStoppedByEarlierStep};
      continue;
    }
    if (stop_reason_.empty()) stop_reason_ = reason_to_stop();
    if (!stop_reason_.empty()) {
      logbook_.step(step.step.id, model::StepState::kNotReached, stop_reason_);
      completed = completed && stop_reason_.id == model::StepReason::kStoppedByEarlierStep;
      continue;
    }
    around_.progress.begin_step(static_cast<int>(i) + 1, static_cast<int>(of), describe(step),
                                at_most_left(i));
    failed_instances_.clear();
    disturbed_hosts_.clear();
    last_number_.clear();
    measured_.clear();
    postponed_.clear();
    held_up_ = {};
    logbook_.step(step.step.id, model::StepState::kBegun, {});
    run_step(step);
    const bool stopped = !stop_reason_.empty();
    const auto& why = stopped ? stop_reason_ : held_up_;
    logbook_.step(step.step.id, why.empty() ? model::StepState::kDone : model::StepState::kStopped,
                  why);
    completed = completed && why.empty();
    around_.progress.end_step(stopped                    ? "stopped"
                              : step_failed()            ? "done, with failures"
                              : disturbed_hosts_.empty() ? "done"
                                                         : "done, disturbed by other programs");
    if (step_failed() && step.step.failure_stops_run && !stopped) {
      stop_reason_ = {model::StepReason::kStoppedByEarlierStep};
    }
  }
  stop_recorders();
  note_jumps();
  logbook_.ended(completed && crew_.everyone(), interrupted_);
}

// A group that lacks members that should have come is measured, but not what was asked for: a
// resumed run with everybody has to do it again.
void Coordinator::hold_up_short(const plan::PlacedStep& step) {
  const auto placement = step.step.placement;
  const bool group =
      placement == config::Placement::kWorld || placement == config::Placement::kGroups;
  // Whatever runs inside the ranks calls them all first.
  if (site_.everyone || !group || step.in_rank) return;
  int missing = 0;
  while (!crew_.is_lost(missing)) ++missing;
  hold_up(model::StepReason::kRankLost, missing);
}

void Coordinator::run_step(const plan::PlacedStep& step) {
  hold_up_short(step);
  if (step.in_rank) {
    run_in_ranks(step);
  } else {
    run_processes(step);
  }
}

Order Coordinator::make_order(const Pending& pending) const {
  const plan::PlacedStep& step = *pending.step;
  const plan::Instance& instance = step.instances[pending.instance];
  const auto member = static_cast<std::size_t>(pending.member);
  Order order;
  order.attempt = fmt::format("{}/{}/{}/{}/{}", request_.run_id, request_.segment, step.step.id,
                              pending.instance, pending.number);
  order.head.step = step.step.id;
  order.head.number = pending.number;
  order.head.confirms = pending.confirms;
  order.head.rank = pending.rank;
  order.head.host = host_of(pending.rank);
  order.head.subject = instance.subject;
  order.head.bench = step.step.bench;
  order.head.backend = step.step.backend;
  order.head.arguments = step.step.arguments;
  auto& arguments = order.head.arguments;
  if (step.in_rank || step.group) {
    order.head.member = pending.member;
    order.head.members = static_cast<int>(instance.ranks.size());
    if (pending.member == 0) {
      for (const plan::End& end : plan::members_of(instance, site_)) {
        order.head.ends.emplace_back(end.host, end.device);
      }
    }
  }
  if (step.in_rank) order.attempt += fmt::format("/rank-{}", pending.rank);
  if (step.group) {
    order.group = order.attempt;
    order.attempt += fmt::format("/member-{}", pending.member);
    arguments.insert(arguments.end(), {"--ranks", std::to_string(instance.ranks.size()), "--rank",
                                       std::to_string(pending.member)});
  }
  const std::string device =
      instance.devices.empty() ? instance.subject.device : instance.devices.at(member);
  order.environment = step.step.environment;
  order.head.device = device;
  if (!device.empty()) {
    arguments.insert(arguments.end(), {"--device", device});
    // Before the program starts: a library may wake the driver before the bench has read its
    // arguments, and then every GPU of the node is opened. The bench holds what it got against
    // --device.
    order.environment["CUDA_VISIBLE_DEVICES"] = device;
  }
  order.deadline_seconds = step.step.deadline_seconds;
  order.grace_seconds = step.step.grace_seconds;
  return order;
}

void Coordinator::start_one(const Pending& pending) {
  const Order order = make_order(pending);
  expect(order, pending);
  crew_.start(pending.rank, order);
}

void Coordinator::expect(const Order& order, Pending pending) {
  pending.due = around_.clock.now() + order.deadline_seconds + order.grace_seconds + kWordSeconds;
  if (pending.step != nullptr) last_number_[pending.instance] = pending.number;
  pending_[order.attempt] = std::move(pending);
}

// A rank may say that it is there long after its warden, its disk or a message was lost.
void Coordinator::lose_overdue() {
  std::map<int, std::string> overdue;
  for (const auto& [attempt, pending] : pending_) {
    if (around_.clock.now() >= pending.due) overdue.try_emplace(pending.rank, attempt);
  }
  for (const auto& [rank, attempt] : overdue) {
    const std::string why = fmt::format("did not say how {} ended", attempt);
    if (rank == 0) throw warden::WardenError("the warden of rank 0 " + why);
    crew_.give_up(rank, why);
  }
}

void Coordinator::run_processes(const plan::PlacedStep& step) {
  for (std::size_t i = 0; i < step.instances.size(); ++i) {
    if (step.group) {
      start_group({&step, i});
      continue;
    }
    const std::string subject = model::label(step.instances[i].subject);
    if (request_.done_subjects.contains({step.step.id, subject})) continue;
    const int rank = step.instances[i].ranks.front();
    if (crew_.is_lost(rank)) {
      hold_up(model::StepReason::kRankLost, rank);
    } else {
      start_one({&step, i, 1, rank});
    }
  }
  await_pending();
  while (stop_reason_.empty() && !(measured_.empty() && postponed_.empty())) {
    if (measured_.empty()) {
      repeat_disturbed();
    } else {
      repeat_doubtful(step);
    }
  }
  confirm_suspects(step);
}

void Coordinator::stop_pending(const Why& by) {
  for (const auto& [attempt, pending] : pending_) crew_.cancel(pending.rank, attempt, by);
}

void Coordinator::await_pending() {
  const double tick = 0.25;
  while (!pending_.empty()) {
    std::vector<Ended> all_ended = crew_.wait(tick);
    pass_tokens();
    for (Ended& ended : all_ended) settle(ended);
    lose_overdue();
    note_lost();
    look_after_groups();
    around_.progress.tick(around_.local.phase());
    if (!stop_reason_.empty()) continue;
    stop_reason_ = reason_to_stop();
    if (!stop_reason_.empty()) stop_pending(why_cancelled(stop_reason_));
  }
}

void Coordinator::settle(Ended& ended) {
  if (take_listening(ended)) return;
  if (recorders_.erase(ended.attempt) > 0) {
    keep_lines(ended);
    logbook_.take(take_transcript(ended), ended.rank);
    return;
  }
  const auto found = pending_.find(ended.attempt);
  if (found == pending_.end()) return;
  const Pending pending = found->second;
  pending_.erase(found);
  keep_lines(ended);
  wire::Transcript transcript = take_transcript(ended);
  const auto phase = transcript.phase();
  const model::Attempt* const taken = logbook_.take(std::move(transcript), ended.rank);
  model::Attempt attempt;
  attempt.ending = model::ending::Garbled{0, "its journal does not say what began"};
  if (taken != nullptr) attempt = *taken;
  remember_load(attempt);
  if (!is_clean(attempt.ending)) failed_instances_.insert(pending.instance);
  if (!pending.group.empty()) return settle_member(pending, attempt, phase);
  if (pending.step->in_rank || pending.confirms || !stop_reason_.empty()) return;
  const Pending next{pending.step, pending.instance, pending.number + 1, pending.rank};
  const bool disturbed = judge::is_discounted(live_.suite.policy, attempt);
  if (is_clean(attempt.ending)) {
    settle_soon(next, disturbed ? std::set{attempt.host} : std::set<std::string>());
  } else if (is_transient(attempt.ending) && pending.number < pending.step->step.attempts) {
    if (disturbed) return postponed_.push_back({next, {attempt.host}});
    start_again(next);
  }
}

// Whatever runs in the ranks is collective over all that the launcher started: one that is lost, or
// that never arrived, would keep all others waiting.
bool Coordinator::all_answer(const plan::PlacedStep& step) {
  std::vector<int> ranks(static_cast<std::size_t>(around_.team.size()));
  std::iota(ranks.begin(), ranks.end(), 0);
  const auto hurry = [this] { return around_.interrupts() > 0; };
  const std::vector<int> missing = crew_.roll_call(step.step.id, ranks, kArrivalSeconds, hurry);
  note_lost();
  stop_reason_ = reason_to_stop();
  if (!stop_reason_.empty()) return false;
  if (missing.empty()) return true;
  logbook_.roll_call(step.step.id, missing);
  hold_up(model::StepReason::kLateRank, missing.front());
  return false;
}

void Coordinator::run_in_ranks(const plan::PlacedStep& step) {
  for (int number = 1;; ++number) {
    if (!all_answer(step)) return;
    if (number >= run_in_ranks_once(step, number, false)) break;
    if (disturbed_hosts_.empty()) continue;
    if (!await_quiet(disturbed_hosts_).empty() || !stop_reason_.empty()) return;
  }
  confirm_in_ranks(step);
}

// Gives how many attempts it is worth by what is known after this one.
int Coordinator::run_in_ranks_once(const plan::PlacedStep& step, int number, bool confirms) {
  std::vector<Order> orders;
  const double left = request_.time_budget_seconds - (around_.clock.now() - began_);
  int member = 0;
  for (const int rank : step.instances.front().ranks) {
    Pending pending{&step, 0, number, rank, member++};
    pending.confirms = confirms;
    orders.push_back(make_order(pending));
    orders.back().deadline_seconds = std::max(1.0, std::min(step.step.deadline_seconds, left));
    expect(orders.back(), pending);
  }
  crew_.go(orders);
  await_pending();
  if (!stop_reason_.empty() || step_failed()) return 0;
  if (!disturbed_hosts_.empty()) return judge::attempts_when_disturbed(step.step.attempts);
  int worth = 0;
  for (const judge::Doubtful& one : judge::find_doubtful(live_, step.step.id)) {
    worth = std::max(worth, judge::attempts_of(one.doubt, step.step.attempts));
  }
  return worth;
}

}  // namespace rackproof::run

#include "harness/run/group_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>
#include <variant>

#include "benches/protocol/token_line.hpp"
#include "harness/crew/endings.hpp"
#include "harness/evidence/disturbance.hpp"
#include "reports/model/words.hpp"

namespace rackproof::run {
namespace {

using model::CancelReason;
using Why = model::Reason<CancelReason>;

/// Member of the group whose rank is lost.
std::optional<int> lost_member(const std::vector<int>& ranks, const crew::Crew& crew) {
  const auto lost =
      std::find_if(ranks.begin(), ranks.end(), [&](int rank) { return crew.is_lost(rank); });
  if (lost == ranks.end()) return std::nullopt;
  return static_cast<int>(lost - ranks.begin());
}

Pending member_of(const Group& group, int member, const std::string& name) {
  Pending pending{group.step, group.instance, group.number,
                  group.ranks()[static_cast<std::size_t>(member)], member};
  pending.group = name;
  pending.confirms = group.confirms;
  pending.narrows = group.narrows;
  return pending;
}

GroupFault fault_of(const Group& group) {
  if (group.wrong) return GroupFault::kWrongAnswer;
  const bool waited = group.late || !group.gave_up.empty();
  return waited && !group.blamed ? GroupFault::kWait : GroupFault::kMember;
}

}  // namespace

void GroupRunner::start(const Pending& of) {
  const std::vector<int>& ranks = instance_of(of).ranks;
  if (const auto lost = lost_member(ranks, context_.crew)) {
    const int rank = ranks[static_cast<std::size_t>(*lost)];
    return tally_.hold_up(model::StepReason::kRankLost, rank, context_);
  }
  if (!of.confirms) tally_.failed_instances.erase(of.instance);
  tally_.faults.erase(of.instance);
  tally_.unexplained.erase(of.instance);
  Pending first = of;
  first.rank = ranks.front();
  const crew::Order order = order_for(first, context_);
  first.group = order.group;
  Group group;
  group.step = of.step;
  group.instance = of.instance;
  group.number = of.number;
  group.confirms = of.confirms;
  group.narrows = of.narrows;
  group.began = context_.around.clock.now();
  groups_[first.group] = group;
  tally_.count(first);
  in_flight_.start(order, first);
}

void GroupRunner::start_peers(const std::string& name, const protocol::Token& token) {
  Group& group = groups_.at(name);
  group.token_passed = true;
  const int size = static_cast<int>(group.ranks().size());
  // Who was lost while the first member was alone had no attempt yet that could be lost with it.
  if (const auto lost = lost_member(group.ranks(), context_.crew)) {
    const Pending pending = member_of(group, *lost, name);
    tally_.hold_up(model::StepReason::kRankLost, pending.rank, context_);
    blame(group, blame_member(pending, "its rank is lost", context_));
    return cancel(name, {CancelReason::kRankLost, name_member(pending, context_)});
  }
  const std::string line = protocol::token_line(name, size, token);
  // The deadline is that of the group: whoever comes later has less of it.
  const double used = context_.around.clock.now() - group.began;
  for (int member = 1; member < size; ++member) {
    const Pending pending = member_of(group, member, name);
    crew::Order order = order_for(pending, context_);
    order.stdin_text = line;
    order.deadline_seconds = std::max(1.0, order.deadline_seconds - used);
    tally_.count(pending);
    in_flight_.start(order, pending);
  }
}

void GroupRunner::pass_tokens() {
  for (const crew::GivenToken& told : context_.crew.take_tokens()) {
    const Pending* const giver = in_flight_.find(told.attempt);
    if (giver == nullptr || giver->group.empty() || giver->member != 0) continue;
    const std::string name = giver->group;
    Group& group = groups_.at(name);
    if (group.token_passed || !group.cancelled.empty() || !context_.goes_on()) continue;
    const std::string problem = protocol::problem_of(told.token);
    if (problem.empty()) {
      start_peers(name, told.token);
    } else {
      blame(group, blame_member(*giver, problem, context_));
      cancel(name, {CancelReason::kBringUp, problem});
    }
  }
}

// The first to spoil its group: who fails later may do so for its sake.
void GroupRunner::blame(Group& group, model::Finding finding) {
  if (group.blamed || group.late) return;
  group.clean = false;
  group.blamed = true;
  tally_.failed_instances.insert(group.instance);
  tell(group, std::move(finding));
}

// Who spoils a part of a group says nothing by itself: what becomes of all parts does.
void GroupRunner::tell(const Group& group, model::Finding finding) {
  if (!group.narrows) context_.log.append(journal::Finding{std::move(finding)});
}

void GroupRunner::cancel(const std::string& name, const Why& by) {
  Group& group = groups_.at(name);
  if (!group.cancelled.empty()) return;
  group.cancelled = by;
  in_flight_.cancel_group(name, by);
}

void GroupRunner::look_after() {
  const double now = context_.around.clock.now();
  for (auto& [name, group] : groups_) {
    if (!group.cancelled.empty()) continue;
    const double bring_up = group.step->step.bring_up_seconds;
    if (!group.token_passed && now - group.began >= bring_up) {
      const std::string what = fmt::format("it gave no token within {:g} s", bring_up);
      group.transient = true;
      blame(group, blame_member(member_of(group, 0, ""), what, context_));
      cancel(name, {CancelReason::kBringUp, what});
    } else if (group.cancel_at && now >= *group.cancel_at) {
      cancel(name, group.cancel_by);
    }
  }
}

std::optional<Outcome> GroupRunner::settle(const Pending& member, const model::Attempt& attempt,
                                           const std::optional<protocol::Phase>& phase) {
  Group& group = groups_.at(member.group);
  if (evidence::is_discounted(context_.live.suite.policy, attempt)) {
    group.disturbed.insert(attempt.host);
  }
  if (crew::is_clean(attempt.ending)) {
    if (member.member == 0 && !group.token_passed) {
      blame(group, blame_member(member, "it ended and gave no token", context_));
    }
  } else if (group.cancelled.empty() && context_.goes_on()) {
    take_failure(group, member, attempt);
  }
  group.nonces.insert(attempt.nonce);
  if (group.late) group.reached.push_back({member, phase});
  if (!group.gave_up.empty() && std::holds_alternative<model::ending::Cancelled>(attempt.ending)) {
    group.silent.push_back(member);
  }
  if (in_flight_.has_group(member.group)) return std::nullopt;
  return finish(member.group);
}

void GroupRunner::take_failure(Group& group, const Pending& member, const model::Attempt& attempt) {
  const bool late = std::holds_alternative<model::ending::TimedOut>(attempt.ending);
  const bool waited = crew::has_given_up(attempt.ending);
  const Why by = {CancelReason::kMemberFailed,
                  name_member(member, context_) + " " + model::sentence(attempt.ending)};
  // Whether to try again is up to who spoiled it, once that is known.
  const bool nobody_blamed = !group.blamed && !group.late;
  if (group.clean || (nobody_blamed && !waited))
    group.transient = crew::is_transient(attempt.ending);
  if (waited || (group.clean && late)) {
    // Whom to name is known when the others have ended too.
    if (waited) {
      group.gave_up.push_back(member);
    } else {
      group.late = member;
    }
    group.clean = false;
    tally_.failed_instances.insert(group.instance);
  } else if (crew::is_wrong_answer(attempt.ending)) {
    group.wrong = true;
    blame(group, blame_for_answer(member, attempt, context_));
  } else {
    blame(group, blame_member(member, model::sentence(attempt.ending), context_));
  }
  if (!waited && !crew::is_wrong_answer(attempt.ending)) return cancel(member.group, by);
  // It did its part to the end, so the others may be about to: their answers are worth a moment. So
  // is what becomes of the one that it waited for.
  if (!group.cancel_at) {
    group.cancel_at = context_.around.clock.now() + group.step->step.grace_seconds;
    group.cancel_by = by;
  }
}

std::vector<Outcome> GroupRunner::lose(const crew::LostRank& lost,
                                       const std::vector<Pending>& members) {
  std::set<std::string> hit;
  for (const Pending& member : members) {
    if (member.group.empty() || !hit.insert(member.group).second) continue;
    Group& group = groups_.at(member.group);
    if (!group.cancelled.empty()) continue;
    blame(group, blame_member(member, "its rank is lost: " + lost.why, context_));
    cancel(member.group,
           {CancelReason::kRankLost, name_member(member, context_) + ": " + lost.why});
  }
  in_flight_.forget_rank(lost.rank);
  std::vector<Outcome> outcomes;
  for (const std::string& name : hit) {
    if (in_flight_.has_group(name)) continue;
    if (auto outcome = finish(name)) outcomes.push_back(std::move(*outcome));
  }
  return outcomes;
}

std::optional<Outcome> GroupRunner::finish(const std::string& name) {
  const Group group = std::move(groups_.extract(name).mapped());
  bool unexplained = group.wrong;
  const auto tell_of = [&](model::Finding finding) {
    unexplained = !finding.evidence.contains("host");
    tell(group, std::move(finding));
  };
  if (group.late) {
    tell_of(blame_for_deadline(group, context_));
  } else if (!group.gave_up.empty() && !group.blamed) {
    tell_of(blame_for_waiting(group, context_));
  }
  if (!group.clean) tally_.faults[group.instance] = fault_of(group);
  if (unexplained) tally_.unexplained.insert(group.instance);
  if (!context_.goes_on() || group.confirms || group.narrows) return std::nullopt;
  Outcome outcome;
  outcome.next.step = group.step;
  outcome.next.instance = group.instance;
  outcome.next.number = group.number + 1;
  outcome.measured = group.clean && group.token_passed;
  outcome.disturbed = group.disturbed;
  if (!outcome.measured && !group.transient) return std::nullopt;
  return outcome;
}

}  // namespace rackproof::run

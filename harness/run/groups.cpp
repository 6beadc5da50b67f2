#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>

#include "benches/protocol/token_line.hpp"
#include "harness/judge/disturbance.hpp"
#include "harness/judge/hang.hpp"
#include "harness/judge/judge.hpp"
#include "harness/run/coordinator.hpp"
#include "harness/run/endings.hpp"
#include "reports/model/finding_id.hpp"

// The part of rank 0's work for steps whose members are processes of their own: the first member
// alone until its token is there, then all of them, and all of them gone as soon as one is lost.
namespace rackproof::run {

using model::CancelReason;

std::string Coordinator::name_member(const Pending& pending) const {
  const plan::Instance& instance = pending.step->instances[pending.instance];
  const std::string device =
      instance.devices.empty()
          ? ""
          : ", " + instance.devices.at(static_cast<std::size_t>(pending.member));
  return fmt::format("member {} of {} (rank {} on {}{})", pending.member, instance.ranks.size(),
                     pending.rank, host_of(pending.rank), device);
}

bool Coordinator::has_pending(const std::string& group) const {
  return std::any_of(pending_.begin(), pending_.end(),
                     [&](const auto& entry) { return entry.second.group == group; });
}

void Coordinator::start_group(const Pending& of) {
  const std::vector<int>& ranks = of.step->instances[of.instance].ranks;
  const auto lost =
      std::find_if(ranks.begin(), ranks.end(), [&](int rank) { return crew_.is_lost(rank); });
  if (lost != ranks.end()) return hold_up(model::StepReason::kRankLost, *lost);
  if (!of.confirms) failed_instances_.erase(of.instance);
  Pending first = of;
  first.rank = ranks.front();
  first.group = make_order(first).group;
  Group group;
  group.step = of.step;
  group.instance = of.instance;
  group.number = of.number;
  group.confirms = of.confirms;
  group.began = around_.clock.now();
  groups_[first.group] = group;
  start_one(first);
}

void Coordinator::start_peers(const std::string& name, const protocol::Token& token) {
  Group& group = groups_.at(name);
  group.token_passed = true;
  const std::vector<int>& ranks = group.step->instances[group.instance].ranks;
  const int size = static_cast<int>(ranks.size());
  // Who was lost while the first member was alone had no attempt yet that could be lost with it.
  const auto lost =
      std::find_if(ranks.begin(), ranks.end(), [&](int rank) { return crew_.is_lost(rank); });
  if (lost != ranks.end()) {
    const int member = static_cast<int>(lost - ranks.begin());
    const Pending pending{group.step, group.instance, group.number, *lost, member, name};
    hold_up(model::StepReason::kRankLost, *lost);
    blame(group, pending, "its rank is lost");
    return cancel_group(name, {CancelReason::kRankLost, name_member(pending)});
  }
  const std::string line = protocol::token_line(name, size, token);
  // The deadline is that of the group: whoever comes later has less of it.
  const double used = around_.clock.now() - group.began;
  for (int member = 1; member < size; ++member) {
    const Pending pending{
        group.step, group.instance, group.number,  ranks[static_cast<std::size_t>(member)],
        member,     name,           group.confirms};
    Order order = make_order(pending);
    order.stdin_text = line;
    order.deadline_seconds = std::max(1.0, order.deadline_seconds - used);
    expect(order, pending);
    crew_.start(pending.rank, order);
  }
}

void Coordinator::pass_tokens() {
  for (const Told& told : crew_.take_tokens()) {
    const auto giver = pending_.find(told.attempt);
    if (giver == pending_.end() || giver->second.group.empty() || giver->second.member != 0) {
      continue;
    }
    const std::string name = giver->second.group;
    const Group& group = groups_.at(name);
    if (group.token_passed || !group.cancelled.empty() || !stop_reason_.empty()) continue;
    const std::string problem = protocol::problem_of(told.token);
    if (problem.empty()) {
      start_peers(name, told.token);
    } else {
      blame(groups_.at(name), giver->second, problem);
      cancel_group(name, {CancelReason::kBringUp, problem});
    }
  }
}

// Whoever compares finds what another member has received, of a third one's data.
std::optional<Coordinator::Misplaced> Coordinator::misplaced(const Pending& teller,
                                                             const model::Attempt& attempt) const {
  const std::vector<int>& ranks = teller.step->instances[teller.instance].ranks;
  const auto member = [&](const std::optional<std::int64_t>& number) -> std::optional<Pending> {
    if (!number || *number < 0 || *number >= std::ssize(ranks)) return std::nullopt;
    Pending one = teller;
    one.member = static_cast<int>(*number);
    one.rank = ranks[static_cast<std::size_t>(*number)];
    return one;
  };
  for (const model::CheckResult& check : attempt.checks) {
    if (check.passed) continue;
    if (const auto at = member(check.first_wrong_rank)) {
      return Misplaced{*at, member(check.first_wrong_from)};
    }
  }
  return std::nullopt;
}

void Coordinator::blame_for_answer(Group& group, const Pending& teller,
                                   const model::Attempt& attempt) {
  const std::string told = model::sentence(attempt.ending);
  const std::optional<Misplaced> wrong = misplaced(teller, attempt);
  if (!wrong) return blame(group, teller, told);
  std::string where = fmt::format("the first wrong value is at {}", name_member(wrong->at));
  model::Parameters evidence = {{"wrong_member", std::int64_t{wrong->at.member}},
                                {"wrong_host", host_of(wrong->at.rank)}};
  if (wrong->from) {
    where += fmt::format(", in the data of {}", name_member(*wrong->from));
    evidence["from_member"] = std::int64_t{wrong->from->member};
    evidence["from_host"] = host_of(wrong->from->rank);
  }
  blame(group, teller, told + "; " + where, evidence);
}

// The first to spoil its group: who fails later may do so for its sake.
void Coordinator::blame(Group& group, const Pending& member, const std::string& what,
                        const model::Parameters& evidence) {
  if (group.blamed || group.late) return;
  group.clean = false;
  group.blamed = true;
  failed_instances_.insert(group.instance);
  model::Finding finding;
  finding.id = model::finding_id::kGroupFailed;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(group.step->instances[group.instance].subject);
  finding.step = group.step->step.id;
  finding.text = name_member(member) + ": " + what;
  finding.evidence = {{"member", std::int64_t{member.member}},
                      {"rank", std::int64_t{member.rank}},
                      {"host", host_of(member.rank)},
                      {"number", std::int64_t{group.number}}};
  finding.evidence.insert(evidence.begin(), evidence.end());
  logbook_.append(journal::Finding{std::move(finding)});
}

void Coordinator::cancel_group(const std::string& name, const Why& by) {
  Group& group = groups_.at(name);
  if (!group.cancelled.empty()) return;
  group.cancelled = by;
  for (const auto& [attempt, pending] : pending_) {
    if (pending.group == name) crew_.cancel(pending.rank, attempt, by);
  }
}

void Coordinator::look_after_groups() {
  const double now = around_.clock.now();
  for (auto& [name, group] : groups_) {
    if (!group.cancelled.empty()) continue;
    const double bring_up = group.step->step.bring_up_seconds;
    if (!group.token_passed && now - group.began >= bring_up) {
      const std::string what = fmt::format("it gave no token within {:g} s", bring_up);
      const std::vector<int>& ranks = group.step->instances[group.instance].ranks;
      group.transient = true;
      blame(group, {group.step, group.instance, group.number, ranks.front()}, what);
      cancel_group(name, {CancelReason::kBringUp, what});
    } else if (group.cancel_at && now >= *group.cancel_at) {
      cancel_group(name, group.cancel_by);
    }
  }
}

std::optional<judge::Hang> Coordinator::hang_of(const Group& group) const {
  judge::Hang::Members members;
  for (const model::Attempt& one : live_.attempts) {
    if (group.nonces.contains(one.nonce)) members.push_back(&one);
  }
  const std::size_t all = group.step->instances[group.instance].ranks.size();
  return members.size() == all ? judge::hang_of(members) : std::nullopt;
}

// Whoever is stopped first at its deadline waited for somebody, most likely. Who did not come as
// far as the others, in what all do together or by their own word, may be the one; where all stand
// at the same place nobody knows.
void Coordinator::blame_for_deadline(const Group& group) {
  if (const auto hang = hang_of(group)) {
    model::Finding finding = judge::finding_of(*hang, "not done at its deadline");
    // The one whose ending is the group's.
    finding.evidence["member"] = std::int64_t{group.late->member};
    logbook_.append(journal::Finding{std::move(finding)});
    return;
  }
  double furthest = -1;
  std::string place;
  for (const Reached& one : group.reached) {
    if (!one.phase || one.phase->fraction <= furthest) continue;
    furthest = one.phase->fraction;
    place = one.phase->name;
  }
  model::Finding finding;
  std::string behind;
  std::vector<Pending> who;
  for (const Reached& one : group.reached) {
    const bool waits = one.phase && one.phase->name == place;
    if (waits || furthest < 0) continue;
    who.push_back(one.member);
    behind += fmt::format("{}{} ({})", behind.empty() ? "" : ", ", name_member(one.member),
                          one.phase ? "last in '" + one.phase->name + "'" : "it told no phase");
  }
  finding.id = model::finding_id::kGroupFailed;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(group.step->instances[group.instance].subject);
  finding.step = group.step->step.id;
  finding.text =
      !who.empty()
          ? fmt::format("not done at its deadline; {} had not come to '{}' as the others had",
                        behind, place)
          : fmt::format(
                "not done at its deadline; for which member the others waited is not "
                "known: all {} were {}; {} was stopped first",
                group.reached.size(), furthest < 0 ? "without a phase" : "in '" + place + "'",
                name_member(*group.late));
  // Of several it is not known for whom the others waited.
  if (who.size() == 1) {
    finding.evidence = {{"behind_member", std::int64_t{who.front().member}},
                        {"rank", std::int64_t{who.front().rank}},
                        {"host", host_of(who.front().rank)}};
  }
  // The one whose ending is the group's.
  finding.evidence["member"] = std::int64_t{group.late->member};
  finding.evidence["number"] = std::int64_t{group.number};
  logbook_.append(journal::Finding{std::move(finding)});
}

// Nobody failed by itself. Who neither gave up nor ended is the one that the others waited for.
void Coordinator::blame_for_waiting(const Group& group) {
  const auto names = [this](const std::vector<Pending>& members) {
    std::string text;
    for (const Pending& one : members) text += (text.empty() ? "" : ", ") + name_member(one);
    return text;
  };
  model::Finding finding;
  finding.id = model::finding_id::kGroupFailed;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(group.step->instances[group.instance].subject);
  finding.step = group.step->step.id;
  finding.text = names(group.gave_up) + " gave up on another member; ";
  if (group.silent.empty()) {
    finding.text += "for which one is not known: no other one failed";
  } else {
    finding.text += names(group.silent) + " neither gave up nor ended";
  }
  if (group.silent.size() == 1) {
    const Pending& only = group.silent.front();
    finding.evidence = {{"member", std::int64_t{only.member}},
                        {"rank", std::int64_t{only.rank}},
                        {"host", host_of(only.rank)}};
  }
  if (const auto hang = hang_of(group); hang && hang->behind.size() == 1) {
    const model::Finding seen = judge::finding_of(*hang, finding.text);
    finding.text = seen.text;
    finding.evidence = seen.evidence;
    finding.evidence["member"] = seen.evidence.at("behind_member");
  }
  finding.evidence["number"] = std::int64_t{group.number};
  logbook_.append(journal::Finding{std::move(finding)});
}

void Coordinator::settle_member(const Pending& pending, const model::Attempt& attempt,
                                const std::optional<protocol::Phase>& phase) {
  Group& group = groups_.at(pending.group);
  const bool late = std::holds_alternative<model::ending::TimedOut>(attempt.ending);
  const bool waited = has_given_up(attempt.ending);
  if (judge::is_discounted(live_.suite.policy, attempt)) group.disturbed.insert(attempt.host);
  if (is_clean(attempt.ending)) {
    if (pending.member == 0 && !group.token_passed) {
      blame(group, pending, "it ended and gave no token");
    }
  } else if (group.cancelled.empty() && stop_reason_.empty()) {
    const Why by = {CancelReason::kMemberFailed,
                    name_member(pending) + " " + model::sentence(attempt.ending)};
    // Whether to try again is up to who spoiled it, once that is known.
    const bool nobody_blamed = !group.blamed && !group.late;
    if (group.clean || (nobody_blamed && !waited)) {
      group.transient = is_transient(attempt.ending);
    }
    if (waited || (group.clean && late)) {
      // Whom to name is known when the others have ended too.
      if (waited) {
        group.gave_up.push_back(pending);
      } else {
        group.late = pending;
      }
      group.clean = false;
      failed_instances_.insert(group.instance);
    } else if (is_wrong_answer(attempt.ending)) {
      blame_for_answer(group, pending, attempt);
    } else {
      blame(group, pending, model::sentence(attempt.ending));
    }
    if (waited || is_wrong_answer(attempt.ending)) {
      // It did its part to the end, so the others may be about to: their answers are worth a
      // moment. So is what becomes of the one that it waited for.
      if (!group.cancel_at) {
        group.cancel_at = around_.clock.now() + group.step->step.grace_seconds;
        group.cancel_by = by;
      }
    } else {
      cancel_group(pending.group, by);
    }
  }
  group.nonces.insert(attempt.nonce);
  if (group.late) group.reached.push_back({pending, phase});
  if (!group.gave_up.empty() && std::holds_alternative<model::ending::Cancelled>(attempt.ending)) {
    group.silent.push_back(pending);
  }
  if (!has_pending(pending.group)) finish_group(pending.group);
}

void Coordinator::lose_members(const LostRank& lost) {
  std::set<std::string> hit;
  for (const auto& [attempt, pending] : pending_) {
    if (pending.rank != lost.rank || pending.group.empty()) continue;
    if (hit.insert(pending.group).second && groups_.at(pending.group).cancelled.empty()) {
      blame(groups_.at(pending.group), pending, "its rank is lost: " + lost.why);
      cancel_group(pending.group,
                   {CancelReason::kRankLost, name_member(pending) + ": " + lost.why});
    }
  }
  std::erase_if(pending_, [&](const auto& entry) {
    return entry.second.rank == lost.rank && !entry.second.group.empty();
  });
  if (hit.empty()) return;
  hold_up(model::StepReason::kRankLost, lost.rank);
  for (const std::string& name : hit) {
    if (!has_pending(name)) finish_group(name);
  }
}

void Coordinator::finish_group(const std::string& name) {
  const Group group = groups_.at(name);
  groups_.erase(name);
  if (group.late) blame_for_deadline(group);
  if (!group.gave_up.empty() && !group.late && !group.blamed) blame_for_waiting(group);
  if (!stop_reason_.empty() || group.confirms) return;
  Pending next;
  next.step = group.step;
  next.instance = group.instance;
  next.number = group.number + 1;
  if (group.clean && group.token_passed) {
    settle_soon(next, group.disturbed);
  } else if (group.transient && group.number < group.step->step.attempts) {
    if (!group.disturbed.empty()) return postponed_.push_back({next, group.disturbed});
    start_again(next);
  }
}

}  // namespace rackproof::run

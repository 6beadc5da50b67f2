#include "harness/run/group.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <utility>

#include "harness/evidence/hang.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/words.hpp"

namespace rackproof::run {
namespace {

/// Where a wrong value is, and whose data it should be.
struct Misplaced {
  Pending at;
  std::optional<Pending> from;
};

std::optional<Misplaced> misplaced(const Pending& teller, const model::Attempt& attempt) {
  const std::vector<int>& ranks = instance_of(teller).ranks;
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

std::optional<evidence::Hang> hang_of(const Group& group, const Context& context) {
  evidence::Hang::Members members;
  for (const model::Attempt& one : context.live.attempts) {
    if (group.nonces.contains(one.nonce)) members.push_back(&one);
  }
  return members.size() == group.ranks().size() ? evidence::hang_of(members) : std::nullopt;
}

model::Finding about(const plan::PlacedStep& step, std::size_t instance, int number) {
  model::Finding finding;
  finding.id = model::finding_id::kGroupFailed;
  finding.severity = model::Severity::kError;
  finding.subject = model::label(step.instances[instance].subject);
  finding.step = step.step.id;
  finding.evidence = {{"number", std::int64_t{number}}};
  return finding;
}

// The place of those who told a phase and had come furthest; no name where none did.
protocol::Phase furthest_of(const Group& group) {
  protocol::Phase furthest;
  furthest.fraction = -1;
  for (const Reached& one : group.reached) {
    if (one.phase && one.phase->fraction > furthest.fraction) furthest = *one.phase;
  }
  return furthest;
}

}  // namespace

std::string name_member(const Pending& pending, const Context& context) {
  const plan::Instance& instance = instance_of(pending);
  const std::string device =
      instance.devices.empty()
          ? ""
          : ", " + instance.devices.at(static_cast<std::size_t>(pending.member));
  return fmt::format("member {} of {} (rank {} on {}{})", pending.member, instance.ranks.size(),
                     pending.rank, context.host_of(pending.rank), device);
}

model::Finding blame_member(const Pending& member, const std::string& what,
                            const Context& context) {
  model::Finding finding = about(*member.step, member.instance, member.number);
  finding.text = name_member(member, context) + ": " + what;
  finding.evidence["member"] = std::int64_t{member.member};
  finding.evidence["rank"] = std::int64_t{member.rank};
  finding.evidence["host"] = context.host_of(member.rank);
  return finding;
}

model::Finding blame_for_answer(const Pending& teller, const model::Attempt& attempt,
                                const Context& context) {
  model::Finding finding = blame_member(teller, model::sentence(attempt.ending), context);
  const std::optional<Misplaced> wrong = misplaced(teller, attempt);
  if (!wrong) return finding;
  finding.text += fmt::format("; the first wrong value is at {}", name_member(wrong->at, context));
  finding.evidence["wrong_member"] = std::int64_t{wrong->at.member};
  finding.evidence["wrong_host"] = context.host_of(wrong->at.rank);
  if (wrong->from) {
    finding.text += fmt::format(", in the data of {}", name_member(*wrong->from, context));
    finding.evidence["from_member"] = std::int64_t{wrong->from->member};
    finding.evidence["from_host"] = context.host_of(wrong->from->rank);
  }
  return finding;
}

model::Finding blame_for_deadline(const Group& group, const Context& context) {
  if (const auto hang = hang_of(group, context)) {
    model::Finding finding = evidence::finding_of(*hang, "not done at its deadline");
    // The one whose ending is the group's.
    finding.evidence["member"] = std::int64_t{group.late->member};
    return finding;
  }
  const protocol::Phase furthest = furthest_of(group);
  std::string behind;
  std::vector<Pending> who;
  for (const Reached& one : group.reached) {
    const bool waits = one.phase && one.phase->name == furthest.name;
    if (waits || furthest.fraction < 0) continue;
    who.push_back(one.member);
    behind += fmt::format("{}{} ({})", behind.empty() ? "" : ", ", name_member(one.member, context),
                          one.phase ? "last in '" + one.phase->name + "'" : "it told no phase");
  }
  model::Finding finding = about(*group.step, group.instance, group.number);
  finding.text =
      !who.empty()
          ? fmt::format("not done at its deadline; {} had not come to '{}' as the others had",
                        behind, furthest.name)
          : fmt::format(
                "not done at its deadline; for which member the others waited is not "
                "known: all {} were {}; {} was stopped first",
                group.reached.size(),
                furthest.fraction < 0 ? "without a phase" : "in '" + furthest.name + "'",
                name_member(*group.late, context));
  // Of several it is not known for whom the others waited.
  if (who.size() == 1) {
    finding.evidence["behind_member"] = std::int64_t{who.front().member};
    finding.evidence["rank"] = std::int64_t{who.front().rank};
    finding.evidence["host"] = context.host_of(who.front().rank);
  }
  // The one whose ending is the group's.
  finding.evidence["member"] = std::int64_t{group.late->member};
  return finding;
}

model::Finding blame_for_waiting(const Group& group, const Context& context) {
  const auto names = [&](const std::vector<Pending>& members) {
    std::string text;
    for (const Pending& one : members) {
      text += (text.empty() ? "" : ", ") + name_member(one, context);
    }
    return text;
  };
  model::Finding finding = about(*group.step, group.instance, group.number);
  finding.text = names(group.gave_up) + " gave up on another member; ";
  if (group.silent.empty()) {
    finding.text += "for which one is not known: no other one failed";
  } else {
    finding.text += names(group.silent) + " neither gave up nor ended";
  }
  if (group.silent.size() == 1) {
    const Pending& only = group.silent.front();
    finding.evidence["member"] = std::int64_t{only.member};
    finding.evidence["rank"] = std::int64_t{only.rank};
    finding.evidence["host"] = context.host_of(only.rank);
  }
  if (const auto hang = hang_of(group, context); hang && hang->behind.size() == 1) {
    const model::Finding seen = evidence::finding_of(*hang, finding.text);
    finding.text = seen.text;
    finding.evidence = seen.evidence;
    finding.evidence["member"] = seen.evidence.at("behind_member");
    finding.evidence["number"] = std::int64_t{group.number};
  }
  return finding;
}

}  // namespace rackproof::run

#include "harness/run/narrowing.hpp"

#include <fmt/format.h>

#include <numeric>
#include <utility>

#include "reports/model/finding_id.hpp"

namespace rackproof::run {
namespace {

using Parts = std::vector<localise::Halving::Group>;

/// Runs these parts at once and gives for each whether it failed as the whole did; nothing when
/// there is no time left, when one failed in another way, or when there is no saying what became
/// of them.
std::optional<std::vector<bool>> which_fail(PartRuns& runs, const Parts& parts, GroupFault fault) {
  const auto results = runs.run(parts);
  if (!results) return std::nullopt;
  std::vector<bool> failed;
  for (const PartRun& result : *results) {
    if (result.fault && *result.fault != fault) return std::nullopt;
    failed.push_back(result.fault.has_value());
  }
  return failed;
}

}  // namespace

std::optional<Parts> with_company(const Parts& parts, const std::set<std::size_t>& good) {
  Parts out = parts;
  auto company = good.begin();
  for (localise::Halving::Group& part : out) {
    if (part.size() > 1) continue;
    if (company == good.end()) return std::nullopt;
    part.push_back(*company++);
  }
  return out;
}

void Narrowing::run(const plan::PlacedStep& step) {
  if (!step.group || step.in_rank || !step.step.narrow) return;
  round_ = 0;
  const std::set<std::size_t> unexplained = runner_.tally().unexplained;
  for (const std::size_t instance : unexplained) {
    if (!context_.goes_on()) return;
    if (step.instances[instance].ranks.size() >= kLeastMembers) narrow(step, instance);
  }
  slow_groups_.run(step, round_);
}

void Narrowing::narrow(const plan::PlacedStep& step, std::size_t instance) {
  const GroupFault fault = runner_.tally().faults.at(instance);
  PartRuns runs(context_, runner_, step, instance, round_);
  context_.around.progress.say(
      fmt::format("{}: {} failed and no one member is known to be the cause; running it in parts",
                  step.step.id, runs.name()));
  localise::Halving::Group all(runs.whole().ranks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto again = which_fail(runs, {all}, fault);
  if (!again) return;
  if (!again->front()) {
    return tell_rest(runs, "it failed, and did well when it was run again: it fails at times");
  }
  localise::Halving halving(all, localise::Pace::kFewestRounds);
  std::set<std::size_t> good;
  while (!halving.done()) {
    const Parts parts = halving.next();
    const auto company = with_company(parts, good);
    const auto failed = company ? which_fail(runs, *company, fault) : std::nullopt;
    if (!failed) break;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!(*failed)[i]) good.insert(parts[i].begin(), parts[i].end());
    }
    halving.tell(*failed);
  }
  tell(runs, halving);
}

void Narrowing::tell(const PartRuns& runs, const localise::Halving& halving) {
  for (const std::size_t member : halving.found()) tell_member(runs, member);
  for (const localise::Halving::Group& group : halving.together()) {
    tell_rest(runs, fmt::format("{} fail together, and do well in either half: look at what lies "
                                "between them (links, switches)",
                                members_text({group.begin(), group.end()})));
  }
  std::set<std::size_t> open;
  for (const localise::Halving::Group& part : halving.next()) open.insert(part.begin(), part.end());
  if (!open.empty()) {
    tell_rest(runs, fmt::format("what fails is among {}; it was not narrowed further",
                                members_text(std::move(open))));
  }
}

void Narrowing::tell_member(const PartRuns& runs, std::size_t member) {
  std::string name;
  model::Finding finding =
      runs.finding_of_member(model::finding_id::kBadMember, model::Severity::kError, member, name);
  finding.text =
      fmt::format("{} of {}: each part of the group with it failed, and did well without it{}",
                  name, runs.name(), runs.cost());
  context_.log.append(journal::Finding{std::move(finding)});
}

void Narrowing::tell_rest(const PartRuns& runs, const std::string& what) {
  model::Finding finding =
      runs.finding(model::finding_id::kGroupNarrowed, model::Severity::kWarning);
  finding.text = what + runs.cost();
  context_.log.append(journal::Finding{std::move(finding)});
}

}  // namespace rackproof::run

#include "harness/run/narrowing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "reports/model/finding_id.hpp"

namespace rackproof::run {
namespace {

using Parts = std::vector<localise::Halving::Group>;

// What all of the search may take, in deadlines of the step.
constexpr double kDeadlines = 2;
// A part may take so many times what the suite expects of the whole, and this much to come
// together.
constexpr double kTimesExpected = 3;
constexpr double kMoreSeconds = 30;

double deadline_of_part(const config::Step& step) {
  if (step.takes_seconds <= 0) return step.deadline_seconds;
  return std::min(step.deadline_seconds, kTimesExpected * step.takes_seconds + kMoreSeconds);
}

plan::Instance part_of(const plan::Instance& whole, const localise::Halving::Group& part,
                       const Context& context) {
  plan::Instance instance;
  instance.subject.kind = contract::SubjectKind::kGroup;
  instance.subject.group =
      fmt::format("{}, {}", whole.subject.group, members_text({part.begin(), part.end()}));
  std::set<std::string> hosts;
  for (const std::size_t member : part) {
    instance.ranks.push_back(whole.ranks[member]);
    if (!whole.devices.empty()) instance.devices.push_back(whole.devices[member]);
    hosts.insert(context.host_of(whole.ranks[member]));
  }
  instance.subject.members.assign(hosts.begin(), hosts.end());
  return instance;
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

std::string members_text(std::set<std::size_t> members) {
  std::vector<std::string> runs;
  while (!members.empty()) {
    const std::size_t first = *members.begin();
    std::size_t last = first;
    while (members.contains(last + 1)) ++last;
    members.erase(members.begin(), members.upper_bound(last));
    if (last == first + 1) {
      runs.push_back(std::to_string(first));
      runs.push_back(std::to_string(last));
    } else {
      runs.push_back(last == first ? std::to_string(first) : fmt::format("{} to {}", first, last));
    }
  }
  std::string text =
      runs.size() == 1 && runs.front().find(' ') == std::string::npos ? "member " : "members ";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == runs.size() ? " and " : ", ") + runs[i];
  }
  return text;
}

void Narrowing::run(const plan::PlacedStep& step) {
  if (!step.group || step.in_rank || !step.step.narrow) return;
  round_ = 0;
  const std::set<std::size_t> unexplained = runner_.tally().unexplained;
  for (const std::size_t instance : unexplained) {
    if (!context_.goes_on()) return;
    if (step.instances[instance].ranks.size() >= kLeastMembers) narrow(step, instance);
  }
}

void Narrowing::narrow(const plan::PlacedStep& step, std::size_t instance) {
  Search search{&step, instance, runner_.tally().faults.at(instance),
                context_.around.clock.now() + kDeadlines * step.step.deadline_seconds};
  context_.around.progress.say(
      fmt::format("{}: {} failed and no one member is known to be the cause; running it in parts",
                  step.step.id, model::label(search.whole().subject)));
  localise::Halving::Group all(search.whole().ranks.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const auto again = try_parts(search, {all});
  if (!again) return;
  if (!again->front()) {
    return tell_rest(search, "it failed, and did well when it was run again: it fails at times");
  }
  localise::Halving halving(all, localise::Pace::kFewestRounds);
  std::set<std::size_t> good;
  while (!halving.done()) {
    const Parts parts = halving.next();
    const auto company = with_company(parts, good);
    const auto failed = company ? try_parts(search, *company) : std::nullopt;
    if (!failed) break;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      if (!(*failed)[i]) good.insert(parts[i].begin(), parts[i].end());
    }
    halving.tell(*failed);
  }
  tell(search, halving);
}

std::optional<std::vector<bool>> Narrowing::try_parts(Search& search, const Parts& parts) {
  if (!context_.goes_on() || context_.around.clock.now() >= search.until) return std::nullopt;
  plan::PlacedStep placed = *search.step;
  placed.step.deadline_seconds = deadline_of_part(search.step->step);
  placed.instances.clear();
  for (const localise::Halving::Group& part : parts) {
    placed.instances.push_back(part_of(search.whole(), part, context_));
  }
  ++search.rounds;
  search.groups += static_cast<int>(parts.size());
  const auto faults = runner_.try_parts(placed, ++round_);
  if (!faults) return std::nullopt;
  std::vector<bool> failed;
  for (const std::optional<GroupFault>& fault : *faults) {
    if (fault && *fault != search.fault) return std::nullopt;
    failed.push_back(fault.has_value());
  }
  return failed;
}

void Narrowing::tell(const Search& search, const localise::Halving& halving) {
  for (const std::size_t member : halving.found()) tell_member(search, member);
  for (const localise::Halving::Group& group : halving.together()) {
    tell_rest(search, fmt::format("{} fail together, and do well in either half: look at what lies "
                                  "between them (links, switches)",
                                  members_text({group.begin(), group.end()})));
  }
  std::set<std::size_t> open;
  for (const localise::Halving::Group& part : halving.next()) open.insert(part.begin(), part.end());
  if (!open.empty()) {
    tell_rest(search, fmt::format("what fails is among {}; it was not narrowed further",
                                  members_text(std::move(open))));
  }
}

model::Finding Narrowing::about(const Search& search, const char* id,
                                model::Severity severity) const {
  model::Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.subject = model::label(search.whole().subject);
  finding.step = search.step->step.id;
  finding.evidence = {{"group", finding.subject},
                      {"groups", std::int64_t{search.groups}},
                      {"rounds", std::int64_t{search.rounds}}};
  return finding;
}

void Narrowing::tell_member(const Search& search, std::size_t member) {
  model::Finding finding = about(search, model::finding_id::kBadMember, model::Severity::kError);
  const Pending pending{search.step, search.instance, 1, search.whole().ranks[member],
                        static_cast<int>(member)};
  const std::string host = context_.host_of(pending.rank);
  const std::string whole = finding.subject;
  finding.subject =
      search.whole().devices.empty() ? host : host + "/" + search.whole().devices[member];
  finding.text = fmt::format(
      "{} of {}: each part of the group with it failed, and did well without it ({} parts in {} "
      "rounds)",
      name_member(pending, context_), whole, search.groups, search.rounds);
  finding.evidence["member"] = std::int64_t{pending.member};
  finding.evidence["rank"] = std::int64_t{pending.rank};
  finding.evidence["host"] = host;
  if (!search.whole().devices.empty()) {
    finding.evidence["device"] = search.whole().devices[member];
  }
  context_.log.append(journal::Finding{std::move(finding)});
}

void Narrowing::tell_rest(const Search& search, const std::string& what) {
  model::Finding finding =
      about(search, model::finding_id::kGroupNarrowed, model::Severity::kWarning);
  finding.text = fmt::format("{} ({} parts in {} rounds)", what, search.groups, search.rounds);
  context_.log.append(journal::Finding{std::move(finding)});
}

}  // namespace rackproof::run

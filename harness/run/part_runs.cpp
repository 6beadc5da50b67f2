#include "harness/run/part_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace rackproof::run {
namespace {

// What all of the rounds may take, in deadlines of the step, and of what is left of the run's time:
// the steps after it are to be measured, too.
constexpr double kDeadlines = 2;
constexpr double kShareOfRest = 0.5;
// A part may take so many times what the suite expects of the whole, and this much to come
// together.
constexpr double kTimesExpected = 3;
constexpr double kMoreSeconds = 30;

double seconds_for(const config::Step& step, const Context& context) {
  const double left = context.request.time_budget_seconds - context.elapsed();
  return std::min(kDeadlines * step.deadline_seconds, kShareOfRest * left);
}

double deadline_of_part(const config::Step& step) {
  if (step.takes_seconds <= 0) return step.deadline_seconds;
  return std::min(step.deadline_seconds, kTimesExpected * step.takes_seconds + kMoreSeconds);
}

plan::Instance part_of(const plan::Instance& whole, const PartRuns::Part& part,
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

PartRuns::PartRuns(Context& context, StepRunner& runner, const plan::PlacedStep& step,
                   std::size_t instance, int& round)
    : context_(context),
      runner_(runner),
      step_(step),
      instance_(instance),
      round_(round),
      until_(context.around.clock.now() + seconds_for(step.step, context)) {}

std::optional<std::vector<PartRun>> PartRuns::run(const std::vector<Part>& parts) {
  if (!context_.goes_on() || context_.around.clock.now() >= until_) return std::nullopt;
  plan::PlacedStep placed = step_;
  placed.step.deadline_seconds = deadline_of_part(step_.step);
  placed.instances.clear();
  for (const Part& part : parts) placed.instances.push_back(part_of(whole(), part, context_));
  ++rounds_;
  groups_ += static_cast<int>(parts.size());
  return runner_.try_parts(placed, ++round_);
}

model::Finding PartRuns::finding(const char* id, model::Severity severity) const {
  model::Finding finding;
  finding.id = id;
  finding.severity = severity;
  finding.subject = name();
  finding.step = step_.step.id;
  finding.evidence = {{"group", finding.subject},
                      {"groups", std::int64_t{groups_}},
                      {"rounds", std::int64_t{rounds_}}};
  return finding;
}

model::Finding PartRuns::finding_of_member(const char* id, model::Severity severity,
                                           std::size_t member, std::string& name) const {
  model::Finding finding = this->finding(id, severity);
  const Pending pending{&step_, instance_, 1, whole().ranks[member], static_cast<int>(member)};
  const std::string host = context_.host_of(pending.rank);
  finding.subject = whole().devices.empty() ? host : host + "/" + whole().devices[member];
  finding.evidence["member"] = std::int64_t{pending.member};
  finding.evidence["rank"] = std::int64_t{pending.rank};
  finding.evidence["host"] = host;
  if (!whole().devices.empty()) finding.evidence["device"] = whole().devices[member];
  name = name_member(pending, context_);
  return finding;
}

std::string PartRuns::cost() const {
  return fmt::format(" ({} parts in {} rounds)", groups_, rounds_);
}

}  // namespace rackproof::run

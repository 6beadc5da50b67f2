#include "reports/model/report.hpp"

#include <fmt/format.h>

#include "reports/model/words.hpp"

namespace rackproof::model {
namespace {

std::optional<std::int64_t> hosts_of(const Extent& extent) {
  if (extent.hosts || extent.assets.empty()) return extent.hosts;
  return static_cast<std::int64_t>(extent.assets.size());
}

std::string counted(std::size_t there, const std::optional<std::int64_t>& meant, const char* what) {
  const std::int64_t last = meant.value_or(static_cast<std::int64_t>(there));
  return fmt::format("{}{} {}{}", there, meant ? fmt::format(" of {}", *meant) : "", what,
                     last == 1 ? "" : "s");
}

}  // namespace

bool is_left_out(const StepInfo& step) {
  return step.state == StepState::kLeftOut ||
         (step.state == StepState::kSkipped && step.reason.id == StepReason::kNotSelected);
}

std::vector<std::string> left_out_steps(const Report& report) {
  std::vector<std::string> ids;
  for (const StepInfo& step : report.steps) {
    if (is_left_out(step)) ids.push_back(step.id);
  }
  return ids;
}

std::vector<std::string> steps_not_run(const Report& report) {
  std::vector<std::string> ids = left_out_steps(report);
  if (!report.suite.plan) return ids;
  const std::vector<std::string>& unplanned = report.suite.plan->left_out;
  ids.insert(ids.end(), unplanned.begin(), unplanned.end());
  return ids;
}

std::string scope_of(const Report& report) {
  const Extent& own = report.run.extent;
  const Extent& suites = report.suite.extent;
  auto hosts = hosts_of(own) ? hosts_of(own) : hosts_of(suites);
  if (const std::size_t left_out = report.run.left_out_hosts.size(); !hosts && left_out > 0) {
    hosts = static_cast<std::int64_t>(report.nodes.size() + left_out);
  }
  std::size_t gpus = 0;
  for (const NodeInventory& node : report.nodes) gpus += gpus_of(node);
  std::string text = counted(report.nodes.size(), hosts, "host") + ", " +
                     counted(gpus, own.gpus ? own.gpus : suites.gpus, "GPU");
  const std::size_t left_out = steps_not_run(report).size();
  if (left_out == 0) return text;
  const std::size_t steps = report.suite.plan
                                ? static_cast<std::size_t>(report.suite.plan->of_steps)
                                : report.steps.size();
  return text + ", " + counted(steps - left_out, static_cast<std::int64_t>(steps), "step");
}

std::string verdict_word(Acceptance acceptance) {
  if (acceptance == Acceptance::kVerified) return "VERIFIED, NOT ACCEPTED";
  std::string text(contract::word(acceptance));
  for (char& c : text) c = static_cast<char>(c - 'a' + 'A');
  return text;
}

std::string verdict_text(const Report& report) {
  const std::string& reason = report.acceptance_reason;
  return scope_of(report) + (reason.empty() ? "" : ": " + reason);
}

std::string amends_text(const Report& report) {
  if (!report.amends) return "";
  const Amends& amends = *report.amends;
  constexpr std::size_t kDay = 10;  // of RFC 3339
  std::string text = fmt::format("amends the report of {} ({}): ", amends.began_utc.substr(0, kDay),
                                 amends.acceptance);
  for (std::size_t i = 0; i < amends.repairs.size(); ++i) {
    const Repair& repair = amends.repairs[i];
    text += fmt::format("{}{}{} repaired", i == 0 ? "" : ", ", repair.host,
                        repair.device.empty() ? "" : "/" + repair.device);
  }
  if (!amends.repairs.empty()) text += ", ticket " + amends.repairs.front().ticket;
  return text +
         fmt::format(": {} of {} results measured again", amends.measured_again, amends.results);
}

bool was_disturbed(const JudgePolicy& policy, const Attempt& attempt) {
  return taken_share(attempt.load) > policy.disturbed_share;
}

int& count_of(Counts& counts, Outcome outcome) {
  switch (outcome) {
    case Outcome::kPass:
      return counts.pass;
    case Outcome::kVerified:
      return counts.verified;
    case Outcome::kFail:
      return counts.fail;
    case Outcome::kUnjudged:
      return counts.unjudged;
    case Outcome::kUntested:
      return counts.untested;
    case Outcome::kWaived:
      break;
  }
  return counts.waived;
}

int count_of(const Counts& counts, Outcome outcome) {
  Counts copy = counts;
  return count_of(copy, outcome);
}

int total(const Counts& counts) {
  int sum = 0;
  for (const auto& word : words_of(Outcome{})) sum += count_of(counts, word.value);
  return sum;
}

int exit_code_of(Acceptance acceptance) {
  switch (acceptance) {
    case Acceptance::kAccepted:
      return 0;
    case Acceptance::kRejected:
      return 3;
    case Acceptance::kIncomplete:
      return 4;
    case Acceptance::kVerified:
      return 7;
  }
  return 1;
}

}  // namespace rackproof::model

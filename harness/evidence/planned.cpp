#include "harness/evidence/planned.hpp"

#include <fmt/format.h>

#include "reports/model/finding_id.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::evidence {
namespace {

constexpr std::size_t kNamed = 8;
constexpr double kPercent = 100;

std::string percent(double share) { return fmt::format("{:.0f} %", kPercent * share); }

int steps_of(const model::SuitePlan& plan) {
  return plan.of_steps - static_cast<int>(plan.left_out.size());
}

/// "SSD (all), memory of a GPU (24 %)": those with the largest part in what is missed.
std::string missed_kinds(const model::SuitePlan& plan) {
  std::string text;
  std::size_t named = 0;
  for (const model::MissedFault& fault : plan.faults) {
    if (fault.missed <= 0 || fault.expected <= 0) continue;
    if (named == kNamed) return text + " and others";
    const bool all = fault.missed >= fault.expected;
    text += fmt::format("{}{} ({})", named++ == 0 ? "" : ", ", fault.title,
                        all ? "all" : percent(fault.missed / fault.expected));
  }
  return text;
}

}  // namespace

std::string planned_share(const model::Report& report) {
  if (!report.suite.plan) return "";
  const model::SuitePlan& plan = *report.suite.plan;
  return fmt::format(
      "of what was planned, {} of the {} steps of {}, expected to miss {} of faults ({} all of "
      "them)",
      steps_of(plan), plan.of_steps, plan.of, percent(plan.missed), percent(plan.missed_by_all));
}

std::vector<model::Finding> planned_findings(const model::Report& report) {
  if (!report.suite.plan) return {};
  const model::SuitePlan& plan = *report.suite.plan;
  model::Finding finding;
  finding.id = model::finding_id::kPlannedSuite;
  finding.severity = model::Severity::kWarning;
  finding.subject = "the run";
  std::string left_out;
  for (const std::string& step : plan.left_out) left_out += (left_out.empty() ? "" : ", ") + step;
  const std::string kinds = missed_kinds(plan);
  finding.text = fmt::format(
      "the suite was planned for {} and is {} of the {} steps of {}{}{}; expected to be missed: "
      "{}{}{}",
      model::duration(plan.budget_seconds), steps_of(plan), plan.of_steps, plan.of,
      left_out.empty() ? "" : ", without ", left_out, percent(plan.missed),
      kinds.empty() ? "" : " of faults: ", kinds);
  return {finding};
}

}  // namespace rackproof::evidence

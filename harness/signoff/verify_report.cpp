#include <fmt/format.h>

#include <algorithm>

#include "harness/rejudge/check_document.hpp"
#include "harness/signoff/verification.hpp"
#include "reports/model/words.hpp"

namespace rackproof::signoff {
namespace {

constexpr std::size_t kComplaintsShown = 3;

std::string counts_of(const model::Counts& counts) {
  std::string text;
  for (const auto& [outcome, word] : model::words_of(model::Outcome{})) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count_of(counts, outcome), word);
  }
  return text;
}

}  // namespace

void verify_report(const Exhibit& exhibit, const config::Paths& paths, Screen& screen) {
  rejudge::Complaints complaints;
  rejudge::check_report(exhibit.file, exhibit.text, paths, complaints);
  const model::Report& report = *exhibit.report;
  for (std::size_t i = 0; i < std::min(complaints.size(), kComplaintsShown); ++i) {
    screen.add(State::kFails, "report", complaints[i]);
  }
  if (complaints.size() > kComplaintsShown) {
    screen.add(State::kFails, "report",
               fmt::format("and {} more: rackproof check", complaints.size() - kComplaintsShown));
  }
  if (!complaints.empty()) return;
  if (const auto& hosts = report.run.left_out_hosts; !hosts.empty()) {
    screen.add(State::kOpen, "selection",
               fmt::format("{} of {} hosts of the job were left out: {}", hosts.size(),
                           report.nodes.size() + hosts.size(), fmt::join(hosts, ", ")));
  }
  if (const auto left_out = model::left_out_steps(report); !left_out.empty()) {
    screen.add(State::kOpen, "selection",
               fmt::format("{} of {} steps were left out: {}", left_out.size(), report.steps.size(),
                           fmt::join(left_out, ", ")));
  }
  if (const auto& plan = report.suite.plan) {
    screen.add(State::kOpen, "selection",
               fmt::format("the suite is {} of {} steps of {}, as planned, without {}",
                           report.steps.size(), plan->of_steps, plan->of,
                           fmt::join(plan->left_out, ", ")));
  }
  for (const model::StepInfo& step : report.steps) {
    if (step.only_hosts.empty()) continue;
    screen.add(
        State::kOpen, "selection",
        fmt::format("step {} was run on {} of {} hosts alone: {}", step.id, step.only_hosts.size(),
                    report.nodes.size(), fmt::join(step.only_hosts, ", ")));
  }
  screen.add(State::kHolds, "form",
             "canonical, as the schema of version " + report.schema_version + " says");
  screen.add(State::kHolds, "verdicts",
             fmt::format("judged again from the evidence: {}; {}",
                         contract::word(report.acceptance), counts_of(report.counts)));
}

}  // namespace rackproof::signoff

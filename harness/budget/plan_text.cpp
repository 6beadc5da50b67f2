#include "harness/budget/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/budget/shorter_suite.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::budget {
namespace {

using terminal::Page;
using terminal::Paint;

constexpr double kPercent = 100;

constexpr double kLeastPercent = 0.05;
constexpr double kWholePercents = 9.95;

std::string percent(double share) {
  const double value = kPercent * share;
  if (value >= kWholePercents) return fmt::format("{:.0f} %", value);
  return value > 0 && value < kLeastPercent ? "< 0.1 %" : fmt::format("{:.1f} %", value);
}

std::string takes_text(const Duration& takes) {
  switch (takes.from) {
    case KnownFrom::kReports:
      return model::duration(takes.usual_seconds);
    case KnownFrom::kSuite:
      return "about " + model::duration(takes.usual_seconds);
    case KnownFrom::kDeadline:
      return "up to " + model::duration(takes.usual_seconds);
  }
  return "";
}

std::string why_text(Chosen chosen) {
  switch (chosen) {
    case Chosen::kYes:
      return "";
    case Chosen::kDemanded:
      return "demanded";
    case Chosen::kNoTime:
      return "no time";
    case Chosen::kFindsNothing:
      return "finds none of these faults";
    case Chosen::kNoGpus:
      return "no GPUs";
  }
  return "";
}

void add_steps(Page& page, const Plan& plan, bool in) {
  terminal::Rows rows = {{"step", "takes", "finds alone", in ? "only it finds" : "would add", ""}};
  for (const PlannedStep& step : plan.steps) {
    if (is_in(step.chosen) != in) continue;
    rows.push_back({step.id, takes_text(step.takes), percent(step.alone), percent(step.adds),
                    why_text(step.chosen)});
  }
  if (rows.size() == 1) return;
  page.heading(Paint::kBold, in ? "Steps" : "Left out");
  page.table(2, rows, 1);
}

void add_faults(Page& page, const Plan& plan) {
  page.heading(Paint::kBold, "Faults that are expected to be missed");
  terminal::Rows rows = {{"fault", "of all missed", "of its kind", "by the whole suite"}};
  double all = 0;
  for (const PlannedFault& fault : plan.faults) all += fault.missed;
  for (const PlannedFault& fault : plan.faults) {
    rows.push_back({fault.title, percent(all > 0 ? fault.missed / all : 0),
                    percent(fault.missed / fault.expected),
                    percent(fault.missed_by_all / fault.expected)});
  }
  page.table(2, rows, 1);
}

void add_sums(Page& page, const Request& request, const Plan& plan) {
  const auto range = [](const MissedShare& share) {
    return fmt::format("{} to {}", percent(share.low), percent(share.high));
  };
  page.paragraph(0,
                 fmt::format("Missed: {} of faults; by the whole suite {}. If all chances were as "
                             "good or as bad as they may be: {}; {}.",
                             percent(plan.missed.usual), percent(plan.missed_by_all.usual),
                             range(plan.missed), range(plan.missed_by_all)));
  const double best = 1 - plan.fewest_missed;
  const double found = 1 - plan.missed.usual;
  if (best > found && found > 0) {
    page.paragraph(0,
                   fmt::format("No other choice in this time finds more than {:.3f} times as much.",
                               best / found));
  } else {
    page.paragraph(0, "No other choice in this time finds more.");
  }
  page.paragraph(0, "Basis: " + basis_of(request, plan) + ".");
  if (plan.by_deadline == 0) return;
  page.paragraph(0, fmt::format("Of {} only the deadline is known: name reports of earlier runs.",
                                model::counted(plan.by_deadline, "step")));
}

}  // namespace

std::string plan_text(const Request& request, const Plan& plan, const terminal::Style& style) {
  Page page(style);
  const auto in = std::count_if(plan.steps.begin(), plan.steps.end(),
                                [](const PlannedStep& step) { return is_in(step.chosen); });
  page.paragraph(
      0, fmt::format("{} of the {} steps of {} in {} on {} with {} each: about {}, {} at most", in,
                     plan.steps.size(), request.suite.info.id, model::duration(request.seconds),
                     model::counted(static_cast<std::size_t>(request.machine.hosts), "host"),
                     model::counted(static_cast<std::size_t>(request.machine.gpus), "GPU"),
                     model::duration(plan.usual_seconds), model::duration(plan.longest_seconds)));
  add_steps(page, plan, true);
  add_steps(page, plan, false);
  add_faults(page, plan);
  page.blank();
  add_sums(page, request, plan);
  return page.take();
}

}  // namespace rackproof::budget

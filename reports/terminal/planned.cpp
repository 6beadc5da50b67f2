#include "reports/terminal/planned.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "reports/model/printable.hpp"
#include "reports/model/quantity.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {
namespace {

using model::PlannedCell;
using model::PlannedRun;
using model::PlannedStep;

constexpr std::size_t kHostsShown = 8;

bool is_started(const PlannedStep& step) { return !step.left_out && step.skipped.empty(); }

/// What would judge the cell.
std::string judged_by(const PlannedCell& cell) {
  if (cell.source.empty()) return "no baseline";
  const std::string limit = model::limit_text(cell.limit_low, cell.limit_high, cell.unit);
  return fmt::format("{} ({})", limit.empty() ? "the answer alone" : limit, cell.source);
}

/// A line for each, however wide: programs read it too.
std::string cells_of(const PlannedRun& run) {
  std::string lines;
  for (const PlannedCell& cell : run.cells) {
    std::string text = cell.waived.empty() ? judged_by(cell) : "(waived: " + cell.waived + ")";
    if (!cell.required) text += "  (not required)";
    lines += model::printable(cell.id + "  " + text) + "\n";
  }
  return lines + "\n";
}

std::string time_of(const PlannedStep& step) {
  if (!is_started(step)) return "";
  if (step.takes_seconds > 0) return "about " + model::duration(step.takes_seconds);
  return "at most " + model::duration(step.deadline_seconds);
}

void add_steps(Page& page, const PlannedRun& run) {
  Rows rows = {{"step", "bench", "cells", "required", "with a limit", "waived", "time"}};
  for (const PlannedStep& step : run.steps) {
    if (step.left_out) continue;
    rows.push_back({step.id, step.where.empty() ? step.program : step.program + " " + step.where,
                    std::to_string(step.cells), std::to_string(step.required),
                    std::to_string(step.limited), std::to_string(step.waived), time_of(step)});
  }
  page.table(0, rows, 2);
  for (const PlannedStep& step : run.steps) {
    if (step.left_out) page.paragraph(0, fmt::format("step {}: left out", step.id));
    if (!step.only_hosts.empty()) {
      page.paragraph(0,
                     fmt::format("step {}: only on {}", step.id, fmt::join(step.only_hosts, ", ")));
    }
    if (!step.left_out && !step.skipped.empty()) {
      page.paragraph(0, fmt::format("step {}: {}", step.id, step.skipped));
    }
  }
}

/// "18 hosts: judged by gb200-nvl72", or a line for each host where there are few.
void add_platforms(Page& page, const PlannedRun& run) {
  if (run.platform_of_host.size() <= kHostsShown) {
    for (const auto& [host, platform] : run.platform_of_host) {
      page.paragraph(0, fmt::format("{}: judged by {}", host, platform));
    }
    return;
  }
  std::map<std::string, std::size_t> hosts;
  for (const auto& [host, platform] : run.platform_of_host) ++hosts[platform];
  for (const auto& [platform, count] : hosts) {
    page.paragraph(0, fmt::format("{}: judged by {}", counted(count, "host"), platform));
  }
}

void add_time(Page& page, const PlannedRun& run) {
  double expected = 0;
  double at_most = 0;
  int unknown = 0;
  for (const PlannedStep& step : run.steps) {
    if (!is_started(step)) continue;
    expected += step.takes_seconds;
    if (step.takes_seconds > 0) continue;
    ++unknown;
    at_most += step.deadline_seconds;
  }
  if (expected <= 0 && unknown == 0) return;
  std::string sum;
  if (expected > 0) sum = "about " + model::duration(expected);
  if (unknown > 0) {
    sum += fmt::format("{}at most {} for {} of which the suite does not say it",
                       sum.empty() ? "" : ", and ", model::duration(at_most),
                       unknown == 1 ? "one step" : fmt::format("{} steps", unknown));
  }
  page.paragraph(0, "time: " + sum + "; what is measured again comes on top");
}

}  // namespace

std::string planned(const PlannedRun& run, const Style& style) {
  Page page(style);
  page.paragraph(0, fmt::format("suite {} on {} with {}", run.suite, counted(run.hosts, "host"),
                                counted(run.ranks, "rank")));
  if (const std::size_t hosts = run.left_out_hosts.size(); hosts > 0) {
    page.paragraph(
        0, fmt::format("left out: {} of {} of the job", hosts, counted(run.hosts + hosts, "host")));
  }
  add_platforms(page, run);
  page.blank();
  add_steps(page, run);
  add_time(page, run);
  std::size_t cells = 0;
  std::size_t required = 0;
  std::size_t limited = 0;
  std::size_t unjudged = 0;
  std::size_t started = 0;
  for (const PlannedStep& step : run.steps) {
    cells += step.cells;
    required += step.required;
    limited += step.limited;
    unjudged += step.unjudged;
    started += is_started(step) ? 1 : 0;
  }
  const std::size_t verified = required - limited - unjudged;
  if (verified > 0) {
    page.paragraph(0, fmt::format("no speed limit: {} of {}; their answers are verified, their "
                                  "speed is not judged",
                                  verified, counted(required, "required cell")));
  }
  if (unjudged > 0) {
    page.paragraph(0, fmt::format("no baseline: {} of {}; they would be unjudged, and the run "
                                  "incomplete",
                                  unjudged, counted(required, "required cell")));
  }
  return (style.all_cells ? cells_of(run) : "") + page.take() +
         fmt::format(
             "DRY RUN: {} in {} of {} would be measured; nothing was started, nothing is "
             "judged\n",
             counted(cells, "cell"), started, counted(run.steps.size(), "step"));
}

}  // namespace rackproof::terminal

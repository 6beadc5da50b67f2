#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/layout.hpp"

namespace rackproof::terminal {
namespace {

using model::Cell;
using model::Outcome;

/// A metric with more parameter sets than this gets one line: a sweep over sizes has dozens.
constexpr std::size_t kSetsShown = 6;

constexpr std::size_t kReasonsShown = 20;

/// Passed cells of one step, metric and parameter set: different sizes are not one population.
struct Group {
  std::string step;
  std::string metric;
  std::vector<const Cell*> cells;
};

std::vector<Group> groups_of(const model::Report& report) {
  std::vector<Group> groups;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, std::size_t> known;
  for (const Cell& cell : report.cells) {
    if (cell.verdict.outcome != Outcome::kPass) continue;
    const std::string parameters = model::to_text(cell.parameters);
    const auto [place, fresh] =
        known.try_emplace({cell.step, cell.metric, parameters, unit_of(cell)}, groups.size());
    if (fresh) groups.push_back({cell.step, cell.metric, {}});
    groups[place->second].cells.push_back(&cell);
  }
  return groups;
}

/// How much of one metric of one step has passed.
struct Sweep {
  std::size_t sets = 0;
  std::size_t cells = 0;
};

/// The cell whose limit is the easiest to reach, or null when none has a limit.
const Cell* lowest_limit(const Group& group, bool more) {
  const Cell* lowest = nullptr;
  for (const Cell* cell : group.cells) {
    const auto& limit = more ? cell->verdict.limit_low : cell->verdict.limit_high;
    if (!limit) continue;
    if (lowest == nullptr ||
        (more ? *limit < *lowest->verdict.limit_low : *limit > *lowest->verdict.limit_high)) {
      lowest = cell;
    }
  }
  return lowest;
}

/// With `alone` no group has more than one cell, so there is no worst and best to tell apart.
std::vector<std::string> row_of(const Group& group, bool alone) {
  std::vector<std::string> row = {group.step, what_of(*group.cells.front())};
  const Cell& first = *group.cells.front();
  const std::string unit = unit_of(first);
  const bool more =
      first.measurements.empty() || first.measurements.back().better == model::Better::kMore;
  std::vector<double> values;
  for (const Cell* cell : group.cells) {
    if (cell->verdict.observed) values.push_back(*cell->verdict.observed);
  }
  std::sort(values.begin(), values.end());
  if (!more) std::reverse(values.begin(), values.end());
  const auto shown = [&](double value) { return model::quantity(value, unit); };
  if (!alone) row.push_back(std::to_string(group.cells.size()));
  if (values.empty()) {
    row.resize(row.size() + (alone ? 1 : 3));
  } else if (alone) {
    row.push_back(shown(values.front()));
  } else {
    const std::size_t middle = values.size() / 2;
    const double median =
        values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
    row.insert(row.end(), {shown(values.front()), shown(median), shown(values.back())});
  }
  const Cell* limited = lowest_limit(group, more);
  row.push_back(limited != nullptr ? limit_of(*limited) : "verified only");
  return row;
}

void add_waived(Page& page, const model::Report& report) {
  std::vector<std::pair<std::string, std::size_t>> reasons;
  std::map<std::string, std::size_t> known;
  std::size_t cells = 0;
  for (const Cell& cell : report.cells) {
    if (cell.verdict.outcome != Outcome::kWaived) continue;
    ++cells;
    std::string text = fmt::format("{}, step {}: {}", cell.metric, cell.step, cell.verdict.reason);
    const auto [place, fresh] = known.try_emplace(text, reasons.size());
    if (fresh) reasons.emplace_back(std::move(text), 0);
    ++reasons[place->second].second;
  }
  if (cells == 0) return;
  page.heading(Paint::kBold, fmt::format("WAIVED ({})", counted(cells, "cell")));
  for (std::size_t i = 0; i < std::min(reasons.size(), kReasonsShown); ++i) {
    const auto& [text, count] = reasons[i];
    page.paragraph(2, count == 1 ? text : fmt::format("{} x {}", count, text));
  }
  if (reasons.size() > kReasonsShown) {
    page.paragraph(2,
                   fmt::format("and {} more", counted(reasons.size() - kReasonsShown, "reason")));
  }
}

}  // namespace

void add_passed(Page& page, const model::Report& report) {
  add_waived(page, report);
  const std::vector<Group> groups = groups_of(report);
  if (groups.empty()) return;
  std::size_t cells = 0;
  const bool alone = std::all_of(groups.begin(), groups.end(),
                                 [](const Group& group) { return group.cells.size() == 1; });
  Rows rows = {{"step", "metric", "cells", "worst", "median", "best", "lowest limit"}};
  if (alone) rows = {{"step", "metric", "observed", "limit"}};
  std::map<std::pair<std::string, std::string>, Sweep> sweeps;
  for (const Group& group : groups) {
    cells += group.cells.size();
    Sweep& sweep = sweeps[{group.step, group.metric}];
    ++sweep.sets;
    sweep.cells += group.cells.size();
  }
  for (const Group& group : groups) {
    if (sweeps[{group.step, group.metric}].sets <= kSetsShown) {
      rows.push_back(row_of(group, alone));
    }
  }
  page.heading(Paint::kGood, fmt::format("PASSED ({})", counted(cells, "cell")));
  if (rows.size() > 1) page.table(2, rows, 2);
  for (const auto& [key, sweep] : sweeps) {
    if (sweep.sets <= kSetsShown) continue;
    page.paragraph(2, fmt::format("{}, step {}: {} passed, at {} parameter sets", key.second,
                                  key.first, counted(sweep.cells, "cell"), sweep.sets));
  }
}

void add_all_cells(Page& page, const model::Report& report) {
  if (report.cells.empty()) return;
  Rows rows = {{"outcome", "step", "subject", "metric", "observed", "limit"}};
  for (const Cell& cell : report.cells) {
    const auto& observed = cell.verdict.observed;
    rows.push_back(
        {std::string(model::word(cell.verdict.outcome)) + (cell.required ? "" : " (not required)"),
         cell.step, label(cell.subject), what_of(cell),
         observed ? model::quantity(*observed, unit_of(cell)) : "", limit_of(cell)});
  }
  page.heading(Paint::kBold, fmt::format("ALL CELLS ({})", report.cells.size()));
  page.table(2, rows, 4);
}

}  // namespace rackproof::terminal

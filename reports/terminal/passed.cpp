#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/terminal/layout.hpp"
#include "reports/terminal/sweeps.hpp"

namespace rackproof::terminal {
namespace {

using model::Cell;
using model::Outcome;

/// A metric with more parameter sets than this gets one line: a sweep over sizes has dozens.
constexpr std::size_t kSetsShown = 6;

constexpr std::size_t kReasonsShown = 20;

/// How much of one metric of one step has passed.
struct Sets {
  std::size_t sets = 0;
  std::size_t cells = 0;
};

/// With `alone` no group has more than one cell, so there is no worst and best to tell apart.
std::vector<std::string> row_of(const PassedGroup& group, bool alone) {
  std::vector<std::string> row = {group.step, what_of(group.metric, group.parameters)};
  std::vector<double> values = group.values;
  std::sort(values.begin(), values.end());
  if (!group.more) std::reverse(values.begin(), values.end());
  const auto shown = [&](double value) { return model::quantity(value, group.unit); };
  if (!alone) row.push_back(std::to_string(group.cells));
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
  const bool low = group.more ? group.low.value.has_value() : !group.high.value;
  const PassedGroup::Limit& limit = low ? group.low : group.high;
  if (!group.verified) row.push_back(limit.text);
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

void add_groups(Page& page, const PassedCells& passed, const Sweeps& sweeps, bool verified) {
  std::vector<const PassedGroup*> groups;
  std::map<std::pair<std::string, std::string>, Sets> sets_of;
  std::size_t cells = 0;
  std::size_t by_size = 0;
  bool alone = true;
  for (const PassedGroup& group : passed.groups()) {
    if (group.verified != verified) continue;
    cells += group.cells;
    if (sweeps.hold(group)) {
      by_size += group.cells;
      continue;
    }
    groups.push_back(&group);
    alone = alone && group.cells == 1;
    Sets& sets = sets_of[{group.step, group.metric}];
    ++sets.sets;
    sets.cells += group.cells;
  }
  if (cells == 0) return;
  Rows rows = {{"step", "metric", "cells", "worst", "median", "best", "lowest limit"}};
  if (alone) rows = {{"step", "metric", "observed", "limit"}};
  if (verified) rows.front().pop_back();
  for (const PassedGroup* group : groups) {
    if (sets_of[{group->step, group->metric}].sets <= kSetsShown) {
      rows.push_back(row_of(*group, alone));
    }
  }
  page.heading(verified ? Paint::kBold : Paint::kGood,
               fmt::format("{} ({})", verified ? "VERIFIED, WITHOUT A SPEED LIMIT" : "PASSED",
                           counted(cells, "cell")));
  if (rows.size() > 1) page.table(2, rows, 2);
  for (const auto& [key, sets] : sets_of) {
    if (sets.sets <= kSetsShown) continue;
    page.paragraph(
        2, fmt::format("{}, step {}: {} {}, at {} parameter sets", key.second, key.first,
                       counted(sets.cells, "cell"), verified ? "verified" : "passed", sets.sets));
  }
  if (by_size > 0) page.paragraph(2, counted(by_size, "cell") + " of sweeps: below, by size");
}

}  // namespace

void add_passed(Page& page, const model::Report& report, const PassedCells& passed,
                const Sweeps& sweeps) {
  add_waived(page, report);
  add_groups(page, passed, sweeps, false);
  add_groups(page, passed, sweeps, true);
}

void add_all_cells(Page& page, const model::Report& report) {
  if (report.cells.empty()) return;
  Rows rows = {{"outcome", "step", "subject", "metric", "observed", "limit"}};
  for (const Cell& cell : report.cells) {
    const auto& observed = cell.verdict.observed;
    rows.push_back({std::string(contract::word(cell.verdict.outcome)) +
                        (cell.required ? "" : " (not required)"),
                    cell.step, label(cell.subject), what_of(cell),
                    observed ? model::quantity(*observed, unit_of(cell)) : "", limit_of(cell)});
  }
  page.heading(Paint::kBold, fmt::format("ALL CELLS ({})", report.cells.size()));
  page.table(2, rows, 4);
}

}  // namespace rackproof::terminal

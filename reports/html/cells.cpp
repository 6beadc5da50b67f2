#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/html/markup.hpp"
#include "reports/model/cell_text.hpp"
#include "reports/model/quantity.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::html {
namespace {

using model::Cell;
using model::Outcome;

constexpr std::size_t kCellRows = 50;

// The judged numbers of one quantity.
struct Numbers {
  std::string unit;
  bool more = true;
  std::map<Outcome, std::size_t> counts;
  std::vector<std::pair<double, const Cell*>> values;  // the worst first
};

Numbers numbers_in(const Quantity& quantity) {
  Numbers all;
  for (const Cell* cell : quantity.cells) {
    if (cell->verdict.outcome == Outcome::kWaived) continue;
    ++all.counts[cell->verdict.outcome];
    if (!cell->verdict.observed || cell->measurements.empty()) continue;
    all.unit = model::unit_of(*cell);
    all.more = cell->measurements.back().better == contract::Better::kMore;
    all.values.emplace_back(*cell->verdict.observed, cell);
  }
  std::sort(all.values.begin(), all.values.end(), [&](const auto& a, const auto& b) {
    return all.more ? a.first < b.first : a.first > b.first;
  });
  return all;
}

std::string counts_of(const Numbers& one) {
  std::string text;
  for (const auto& [outcome, count] : one.counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, contract::word(outcome));
  }
  return text;
}

void add_quantity(Table& table, const Quantity& quantity, const Numbers& one) {
  std::vector<std::string> row = {plain(quantity.what), counts_of(one)};
  if (one.values.empty()) {
    row.insert(row.end(), {"", "", "", "", ""});
    table.row(row);
    return;
  }
  const auto shown = [&](double value) { return plain(model::quantity(value, one.unit)); };
  const std::size_t count = one.values.size();
  const double median = (one.values[(count - 1) / 2].first + one.values[count / 2].first) / 2;
  const Cell& worst = *one.values.front().second;
  row.push_back(shown(one.values.front().first));
  row.push_back(count > 1 ? plain(model::label(worst.subject), 80) : "");
  row.push_back(shown(median));
  row.push_back(shown(one.values.back().first));
  const std::string limit = model::limit_of(worst);
  const bool proved =
      model::is_right(worst.verdict.outcome) || worst.verdict.outcome == Outcome::kUnjudged;
  row.push_back(!limit.empty() ? plain(limit) : proved ? "verified only" : "none");
  table.row(row);
}

}  // namespace

std::string failed_of(const model::Report& report, const Quantities& quantities) {
  std::vector<const Cell*> failed;
  for (const Cell& cell : report.cells) {
    if (cell.verdict.outcome == Outcome::kFail) failed.push_back(&cell);
  }
  if (failed.empty()) return "";
  Table table("Cells that failed, the likeliest culprit first",
              {"subject", "quantity", "measured#", "limit#", "of expected#", "interval#", "why"});
  const std::vector<const Cell*> ordered = model::worst_first(failed);
  for (std::size_t i = 0; i < std::min(ordered.size(), kCellRows); ++i) {
    const Cell& cell = *ordered[i];
    const model::Verdict& verdict = cell.verdict;
    const std::string unit = model::unit_of(cell);
    table.row({"<span" + quantities.mark_of(cell) + ">" + plain(model::label(cell.subject)) +
                   "</span>" + (cell.required ? "" : " (not required)"),
               plain(model::what_of(cell)) + "<br><small>step " + plain(cell.step) + "</small>",
               verdict.observed ? plain(model::quantity(*verdict.observed, unit)) : "",
               plain(model::limit_of(cell)),
               verdict.ratio ? fmt::format("{:.4g} %", *verdict.ratio * 100) : "",
               verdict.interval_low && verdict.interval_high
                   ? plain(model::quantity(*verdict.interval_low, unit) + " to " +
                           model::quantity(*verdict.interval_high, unit))
                   : "",
               plain(model::reason_of(cell)) +
                   (cell.causes.empty() ? "" : "<br>" + plain(model::causes_of(cell)))});
  }
  return section("failed", fmt::format("Failed ({})", failed.size()),
                 table.take(failed.size() - std::min(failed.size(), kCellRows)));
}

std::string unproven_of(const model::Report& report) {
  std::map<std::tuple<bool, Outcome, std::string, std::string, std::string>, std::size_t> groups;
  std::size_t cells = 0;
  for (const Cell& cell : report.cells) {
    const Outcome outcome = cell.verdict.outcome;
    if (outcome != Outcome::kUntested && outcome != Outcome::kUnjudged) continue;
    ++cells;
    ++groups[{!cell.required, outcome, model::label(cell.subject), cell.step,
              model::reason_of(cell)}];
  }
  if (cells == 0) return "";
  Table table("Cells without a verdict: they never count as passed",
              {"subject", "outcome", "step", "cells#", "why"});
  std::size_t shown = 0;
  for (const auto& [key, count] : groups) {
    if (shown++ >= kCellRows) break;
    const auto& [aside, outcome, subject, step, reason] = key;
    table.row({plain(subject) + (aside ? " (not required)" : ""), badge(outcome), plain(step),
               std::to_string(count), plain(reason)});
  }
  return section("unproven", fmt::format("Untested and unjudged ({})", cells),
                 table.take(groups.size() - std::min(groups.size(), kCellRows)));
}

std::string quantities_of(const Quantities& quantities) {
  if (quantities.all().empty()) return "";
  Table table("Each quantity over its subjects: the worst is named, the limit is the worst one's",
              {"quantity", "cells", "worst#", "which", "median#", "best#", "limit#"});
  constexpr std::size_t kMost = 40;
  std::size_t left_out = 0;
  std::size_t shown = 0;
  const std::string* step = nullptr;
  for (const Quantity& quantity : quantities.all()) {
    const Numbers numbers = numbers_in(quantity);
    if (numbers.counts.empty()) continue;  // all are waived
    if (shown == kMost) {
      ++left_out;
    } else {
      ++shown;
      if (step == nullptr || *step != quantity.first().step) {
        step = &quantity.first().step;
        table.group("step " + plain(*step));
      }
      add_quantity(table, quantity, numbers);
    }
  }
  if (shown == 0) return "";
  return section("quantities", "Quantities", table.take(left_out));
}

}  // namespace rackproof::html

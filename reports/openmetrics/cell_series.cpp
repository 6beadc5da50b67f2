#include "reports/openmetrics/cell_series.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "reports/model/cell_text.hpp"
#include "reports/model/words.hpp"

namespace rackproof::openmetrics {
namespace {

using model::Cell;
using model::Outcome;

// What tells a cell of a device, a node or a group from all others.
Labels labels_of(const Cell& cell) {
  Labels labels = {{"step", cell.step}, {"metric", cell.metric}};
  switch (cell.subject.kind) {
    case contract::SubjectKind::kNode:
      labels.emplace_back("host", cell.subject.host);
      break;
    case contract::SubjectKind::kDevice:
      labels.emplace_back("host", cell.subject.host);
      labels.emplace_back("device", cell.subject.device);
      break;
    case contract::SubjectKind::kGroup:
    case contract::SubjectKind::kLink:
      labels.emplace_back("group", label(cell.subject));
      break;
  }
  for (auto& parameter : parameters_of(cell)) labels.push_back(std::move(parameter));
  return labels;
}

std::optional<double> finite(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// A verdict holds the ratio alone.
std::optional<double> expected_of(const model::Verdict& verdict) {
  if (!verdict.observed || !verdict.ratio || *verdict.ratio <= 0) return std::nullopt;
  return *verdict.observed / *verdict.ratio;
}

// What comes back from a ratio is off in its last bits; to 15 digits it is the number of the table
// again, and the same in each run.
std::optional<double> without_last_bits(const std::optional<double>& value) {
  if (!value) return std::nullopt;
  return std::strtod(fmt::format("{:.15g}", *value).c_str(), nullptr);
}

// `infix` names the families of the worst link of a host.
void add_numbers(Families& families, const Cell& cell, const Labels& labels,
                 const std::string& infix) {
  const Numbers numbers = known_numbers(cell);
  const std::string unit = model::unit_of(cell);
  const std::string of = infix.empty() ? "" : ", of the worst link of a host";
  const auto add = [&](const char* behind, const std::optional<double>& value, const char* what) {
    if (!value) return;
    families.add("rackproof_" + cell.metric + infix + behind, unit,
                 fmt::format("{}{}{}, in {}.", cell.metric, what, of, unit), labels, *value,
                 {"cell", cell.id});
  };
  add("", numbers.observed, " as it was judged");
  add("_limit_low", numbers.limit_low, ", the least that passes");
  add("_limit_high", numbers.limit_high, ", the most that passes");
  add("_expected", without_last_bits(numbers.expected), " as it was expected");
  if (!numbers.ratio) return;
  families.add("rackproof_cell" + infix, "ratio",
               infix.empty() ? "What was measured by what was expected."
                             : "What was measured by what was expected, of the worst link.",
               labels, *numbers.ratio, {"cell", cell.id});
}

struct Links {
  Labels labels;
  const Cell* worst = nullptr;
  std::int64_t failed = 0;
};

bool is_worse(const Cell& cell, const Cell* than) {
  if (!cell.verdict.observed || !std::isfinite(*cell.verdict.observed)) return false;
  if (than == nullptr) return true;
  const bool less =
      !cell.measurements.empty() && cell.measurements.back().better == contract::Better::kLess;
  return less ? *cell.verdict.observed > *than->verdict.observed
              : *cell.verdict.observed < *than->verdict.observed;
}

bool was_decided(const Cell& cell) {
  return cell.verdict.outcome == Outcome::kPass || cell.verdict.outcome == Outcome::kFail;
}

}  // namespace

bool speaks_against(const Cell& cell) {
  const Outcome outcome = cell.verdict.outcome;
  const bool unknown = outcome == Outcome::kUntested || outcome == Outcome::kUnjudged;
  return outcome == Outcome::kFail || (cell.required && unknown);
}

Labels parameters_of(const Cell& cell) {
  Labels labels;
  for (const auto& [name, value] : cell.parameters) {
    labels.emplace_back("param_" + name, model::to_text(value));
  }
  return labels;
}

Numbers known_numbers(const Cell& cell) {
  const model::Verdict& verdict = cell.verdict;
  Numbers numbers{finite(verdict.observed), {}, {}, {}, finite(verdict.ratio)};
  // Without a measurement nobody said a unit.
  if (cell.measurements.empty()) return numbers;
  numbers.limit_low = finite(verdict.limit_low);
  numbers.limit_high = finite(verdict.limit_high);
  numbers.expected = finite(expected_of(verdict));
  return numbers;
}

std::size_t series_of(const Cell& cell) {
  const Numbers numbers = known_numbers(cell);
  std::size_t count = 0;
  for (const auto* number : {&numbers.observed, &numbers.limit_low, &numbers.limit_high,
                             &numbers.expected, &numbers.ratio}) {
    count += number->has_value() ? 1 : 0;
  }
  return count + (was_decided(cell) ? 1 : 0) + (speaks_against(cell) ? 1 : 0);
}

void add_cell(Families& families, const Cell& cell) {
  const Labels labels = labels_of(cell);
  add_numbers(families, cell, labels, "");
  const model::Verdict& verdict = cell.verdict;
  if (was_decided(cell)) {
    families.add("rackproof_cell_passed", "",
                 "1 where the cell passed, 0 where it failed; absent where it is neither.", labels,
                 verdict.outcome == Outcome::kPass ? 1 : 0, {"cell", cell.id});
  }
  if (!speaks_against(cell)) return;
  Labels more = labels;
  more.emplace_back("outcome", contract::word(verdict.outcome));
  more.emplace_back("reason", verdict.reason_id);
  more.emplace_back("required", cell.required ? "true" : "false");
  families.add("rackproof_cell_outcome", "",
               "1 for a cell that failed, or is required and untested or unjudged.", more, 1,
               {"cell", cell.id});
}

void add_links(Families& families, const model::Report& report) {
  std::map<Labels, Links> links;
  for (const Cell& cell : report.cells) {
    if (cell.subject.kind != contract::SubjectKind::kLink) continue;
    Labels labels = {{"step", cell.step}, {"metric", cell.metric}, {"host", cell.subject.host}};
    for (auto& parameter : parameters_of(cell)) labels.push_back(std::move(parameter));
    Links& one = links[labels];
    one.labels = labels;
    if (is_worse(cell, one.worst)) one.worst = &cell;
    if (cell.verdict.outcome == Outcome::kFail) ++one.failed;
  }
  for (const auto& [key, one] : links) {
    if (one.worst != nullptr) add_numbers(families, *one.worst, one.labels, "_worst_link");
    families.add("rackproof_failed_links", "", "Links of a host that failed.", one.labels,
                 static_cast<double>(one.failed));
  }
}

}  // namespace rackproof::openmetrics

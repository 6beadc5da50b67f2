#include "reports/openmetrics/openmetrics.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <optional>

#include "reports/model/cell_text.hpp"
#include "reports/openmetrics/device_series.hpp"
#include "reports/openmetrics/families.hpp"
#include "reports/openmetrics/run_series.hpp"

namespace rackproof::openmetrics {
namespace {

using model::Cell;
using model::Outcome;

Labels parameters_of(const Cell& cell) {
  Labels labels;
  for (const auto& [name, value] : cell.parameters) {
    labels.emplace_back("param_" + name, model::to_text(value));
  }
  return labels;
}

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

// What is known of a cell, in the unit of its metric but for the ratio.
struct Numbers {
  std::optional<double> observed;
  std::optional<double> limit_low;
  std::optional<double> limit_high;
  std::optional<double> expected;
  std::optional<double> ratio;
};

std::optional<double> finite(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? value : std::nullopt;
}

// A verdict holds the ratio alone. What comes back from it is off in its last bits; to 15 digits it
// is the number of the table again, and the same in each run.
std::optional<double> expected_of(const model::Verdict& verdict) {
  if (!verdict.observed || !verdict.ratio || *verdict.ratio <= 0) return std::nullopt;
  const double back = *verdict.observed / *verdict.ratio;
  return std::strtod(fmt::format("{:.15g}", back).c_str(), nullptr);
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
  add("_expected", numbers.expected, " as it was expected");
  if (!numbers.ratio) return;
  families.add("rackproof_cell" + infix, "ratio",
               infix.empty() ? "What was measured by what was expected."
                             : "What was measured by what was expected, of the worst link.",
               labels, *numbers.ratio, {"cell", cell.id});
}

void add_cell(Families& families, const Cell& cell) {
  const Labels labels = labels_of(cell);
  add_numbers(families, cell, labels, "");
  const Outcome outcome = cell.verdict.outcome;
  if (outcome == Outcome::kPass || outcome == Outcome::kFail) {
    families.add("rackproof_cell_passed", "",
                 "1 where the cell passed, 0 where it failed; absent where it is neither.", labels,
                 outcome == Outcome::kPass ? 1 : 0, {"cell", cell.id});
  }
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

// By which a rack is known in monitoring.
std::string rack_of(const model::Report& report) {
  const auto label = report.run.labels.find(kRackLabel);
  if (label != report.run.labels.end() && !label->second.empty()) return label->second;
  return report.nodes.empty() ? report.run.id : report.nodes.front().host;
}

}  // namespace

std::string render(const model::Report& report) {
  // What tells runs apart is on every series: two files in one folder, two runs, or a quick run and
  // the acceptance of one rack, share none.
  Families families(
      {{"rack", rack_of(report)}, {"suite", report.suite.id}, {"run", report.run.id}});
  add_run(families, report);
  add_devices(families, report);
  for (const Cell& cell : report.cells) {
    if (cell.subject.kind != contract::SubjectKind::kLink) add_cell(families, cell);
  }
  add_links(families, report);
  return families.text();
}

}  // namespace rackproof::openmetrics

#include "reports/csv/csv.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>

#include "reports/model/cell_text.hpp"
#include "reports/model/printable.hpp"
#include "reports/model/words.hpp"

namespace rackproof::csv {
namespace {

constexpr std::array<std::string_view, 30> kColumns = {
    "run_id",       "began_utc",     "cell",       "step",      "metric",     "unit",
    "subject",      "kind",          "host",       "device",    "peer_host",  "peer_device",
    "group",        "parameters",    "required",   "outcome",   "reason_id",  "reason",
    "observed",     "statistic",     "samples",    "limit_low", "limit_high", "ratio",
    "interval_low", "interval_high", "confidence", "baseline",  "platform",   "causes"};

// One row under construction.
class Row {
 public:
  void text(std::string_view value) {
    const std::string clean = model::printable(value);
    std::string out;
    if (!clean.empty() && std::string_view("=+-@").find(clean[0]) != std::string_view::npos) {
      out += '\'';
    }
    out += clean;
    put(out);
  }
  void number(const std::optional<double>& value) {
    put(value && std::isfinite(*value) ? fmt::format("{}", *value) : "");
  }
  void count(std::size_t value) { put(std::to_string(value)); }
  // A number is no formula, whatever its sign.
  void scalar(const contract::Scalar& value) {
    if (const auto* words = std::get_if<std::string>(&value)) return text(*words);
    put(model::to_text(value));
  }
  void flag(bool value) { put(value ? "true" : "false"); }
  std::string take() { return std::move(line_) + "\r\n"; }

 private:
  void put(std::string_view field) {
    if (!first_) line_ += ',';
    first_ = false;
    if (field.find_first_of(",\"") == std::string_view::npos) {
      line_ += field;
      return;
    }
    line_ += '"';
    for (const char c : field) {
      if (c == '"') line_ += '"';
      line_ += c;
    }
    line_ += '"';
  }

  std::string line_;
  bool first_ = true;
};

std::string platform_of(const model::Report& report, const model::Cell& cell) {
  const std::string& host = !cell.subject.host.empty()     ? cell.subject.host
                            : cell.subject.members.empty() ? cell.subject.host
                                                           : cell.subject.members.front();
  const auto found = report.platform_of_host.find(host);
  return found == report.platform_of_host.end() ? "" : found->second;
}

void add_cell(Row& row, const model::Report& report, const model::Cell& cell) {
  const model::Verdict& verdict = cell.verdict;
  std::size_t samples = 0;
  for (const model::Measurement& measurement : cell.measurements) {
    samples += measurement.samples.size();
  }
  row.text(report.run.id);
  row.text(report.run.began_utc);
  row.text(cell.id);
  row.text(cell.step);
  row.text(cell.metric);
  row.text(model::unit_of(cell));
  row.text(model::label(cell.subject));
  row.text(contract::word(cell.subject.kind));
  row.text(cell.subject.host);
  row.text(cell.subject.device);
  row.text(cell.subject.peer_host);
  row.text(cell.subject.peer_device);
  row.text(cell.subject.group);
  row.text(model::to_text(cell.parameters));
  row.flag(cell.required);
  row.text(contract::word(verdict.outcome));
  row.text(verdict.reason_id);
  row.text(verdict.reason);
  row.number(verdict.observed);
  row.text(verdict.observed ? contract::word(verdict.statistic) : "");
  row.count(samples);
  row.number(verdict.limit_low);
  row.number(verdict.limit_high);
  row.number(verdict.ratio);
  row.number(verdict.interval_low);
  row.number(verdict.interval_high);
  row.number(verdict.confidence);
  row.text(verdict.baseline);
  row.text(platform_of(report, cell));
  row.text(model::causes_of(cell));
}

// Of all cells: a suite's metrics have few between them.
std::set<std::string> parameter_names(const model::Report& report) {
  std::set<std::string> names;
  for (const model::Cell& cell : report.cells) {
    for (const auto& [name, value] : cell.parameters) names.insert(name);
  }
  return names;
}

}  // namespace

std::string render(const model::Report& report) {
  Row head;
  for (const std::string_view column : kColumns) head.text(column);
  const std::set<std::string> parameters = parameter_names(report);
  for (const std::string& name : parameters) head.text("parameter." + name);
  std::string out = head.take();
  for (const model::Cell& cell : report.cells) {
    Row row;
    add_cell(row, report, cell);
    for (const std::string& name : parameters) {
      const auto value = cell.parameters.find(name);
      row.scalar(value == cell.parameters.end() ? contract::Scalar(std::string()) : value->second);
    }
    out += row.take();
  }
  return out;
}

}  // namespace rackproof::csv

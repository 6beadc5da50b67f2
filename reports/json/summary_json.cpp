#include "reports/json/summary_json.hpp"

#include <nlohmann/json.hpp>

#include "reports/model/parts.hpp"
#include "reports/model/words.hpp"
#include "reports/model/worst_first.hpp"

namespace rackproof::model {
namespace {

using nlohmann::json;

json counts_of(const Counts& counts) {
  json object;
  for (const Outcome outcome : {Outcome::kPass, Outcome::kVerified, Outcome::kFail,
                                Outcome::kUntested, Outcome::kUnjudged, Outcome::kWaived}) {
    object[std::string(contract::word(outcome))] = count_of(counts, outcome);
  }
  return object;
}

json worst_of(const Cell& cell) {
  json object = {{"cell", cell.id},
                 {"metric", cell.metric},
                 {"parameters", to_text(cell.parameters)},
                 {"reason_id", cell.verdict.reason_id},
                 {"reason", cell.verdict.reason}};
  const Verdict& verdict = cell.verdict;
  if (verdict.observed) object["observed"] = *verdict.observed;
  if (verdict.limit_low) object["limit_low"] = *verdict.limit_low;
  if (verdict.limit_high) object["limit_high"] = *verdict.limit_high;
  if (verdict.observed && !cell.measurements.empty()) {
    object["unit"] = cell.measurements.back().unit;
  }
  return object;
}

json parts_of(const Report& report) {
  json parts = json::array();
  for (const Outcome outcome : {Outcome::kFail, Outcome::kUntested, Outcome::kUnjudged}) {
    std::vector<const Cell*> cells;
    for (const Cell& cell : report.cells) {
      if (cell.required && cell.verdict.outcome == outcome) cells.push_back(&cell);
    }
    if (outcome == Outcome::kFail) cells = worst_first(cells);
    for (const PartCells& part : by_part(cells)) {
      parts.push_back({{"subject", label(*part.subject)},
                       {"name", part_name(report, *part.subject)},
                       {"outcome", contract::word(outcome)},
                       {"cells", part.cells.size()},
                       {"cells_on_links", part.on_links.size()},
                       {"what", failures_of(part)},
                       {"worst", worst_of(*part.cells.front())}});
    }
  }
  return parts;
}

json findings_of(const Report& report) {
  json findings = json::array();
  for (const Finding& finding : report.findings) {
    findings.push_back({{"id", finding.id},
                        {"severity", contract::word(finding.severity)},
                        {"subject", finding.subject},
                        {"text", finding.text}});
  }
  return findings;
}

}  // namespace

std::string summary_json(const Report& report) {
  const json document = {
      {"format", "rackproof-summary"},
      {"version", "1.1"},
      {"run", report.run.id},
      {"suite", report.suite.id},
      {"began_utc", report.run.began_utc},
      {"seconds", report.run.seconds},
      {"completed", report.run.completed},
      {"verdict", contract::word(report.acceptance)},
      {"scope", scope_of(report)},
      {"reason", report.acceptance_reason},
      {"counts",
       {{"required", counts_of(report.required_counts)}, {"all", counts_of(report.counts)}}},
      {"parts", parts_of(report)},
      {"findings", findings_of(report)}};
  // What machines called themselves may be any bytes.
  return document.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace rackproof::model

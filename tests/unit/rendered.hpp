#pragma once

#include <string>

#include "reports/model/report.hpp"
#include "tests/golden/golden.hpp"

namespace rackproof::rendered {

/// A text that breaks every form that does not keep it apart from its own marks.
inline const std::string kHostile =
    "<script>alert(1)</script>\"';|`*[x](http://e.example)@all\n=1+1\r\t\x1b[31m\xE2\x80\xAE"
    "\xEF\xBF\xBE\\\x01,#5 www.e.example &amp; \xff";

inline bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

inline std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

/// A cell of a host whose number was 8 GB/s where 10 GB/s were asked for, or which has none.
inline model::Cell cell_of(const std::string& host, model::Outcome outcome) {
  model::Cell cell;
  cell.id = "stream/" + host + "/stream.triad";
  cell.step = "stream";
  cell.subject.host = host;
  cell.metric = "stream.triad";
  cell.verdict.outcome = outcome;
  cell.verdict.reason_id = "some-reason";
  cell.verdict.reason = "because of it";
  if (model::is_right(outcome) || outcome == model::Outcome::kFail) {
    model::Measurement& measurement = cell.measurements.emplace_back();
    measurement.unit = "B/s";
    measurement.value = 8e9;
    measurement.samples = {7e9, 8e9, 9e9};
    cell.verdict.observed = 8e9;
    cell.verdict.statistic = contract::Statistic::kMedian;
    if (outcome != model::Outcome::kVerified) {
      cell.verdict.limit_low = 10e9;
      cell.verdict.ratio = 0.8;
    }
  }
  return cell;
}

/// The same between two hosts.
inline model::Cell link_of(const std::string& host, const std::string& peer, double value,
                           model::Outcome outcome) {
  model::Cell cell = cell_of(host, outcome);
  cell.id += "/" + peer;
  cell.subject.kind = contract::SubjectKind::kLink;
  cell.subject.peer_host = peer;
  cell.verdict.observed = value;
  return cell;
}

/// A report whose every foreign text is hostile.
inline model::Report hostile() {
  model::Report report;
  report.run.id = kHostile;
  report.run.began_utc = kHostile;
  report.run.labels[kHostile] = kHostile;
  report.suite.id = kHostile;
  report.acceptance_reason = kHostile;
  report.tool.version = kHostile;
  report.platform_of_host[kHostile] = kHostile;
  report.platforms.emplace_back().id = kHostile;
  report.findings.push_back({kHostile, model::Severity::kError, kHostile, kHostile, kHostile, {}});
  report.run.launcher = report.tool.commit = kHostile;
  report.judged_claims = {{kHostile, kHostile, 1, 0, {}, kHostile}};
  const model::Fact fact{kHostile, kHostile, ""};
  report.nodes.push_back(
      {kHostile,
       {},
       {{kHostile, 0, {{"gpu.name", fact}, {"gpu.serial", fact}, {"gpu.pci_address", fact}}}}});
  for (const auto kind : {contract::SubjectKind::kDevice, contract::SubjectKind::kGroup,
                          contract::SubjectKind::kLink}) {
    model::Cell& cell = report.cells.emplace_back(cell_of(kHostile, model::Outcome::kFail));
    cell.id = cell.step = cell.metric = kHostile;
    cell.subject.kind = kind;
    cell.subject.device = cell.subject.group = cell.subject.peer_host = kHostile;
    cell.subject.members = {kHostile};
  }
  for (const auto outcome : {model::Outcome::kFail, model::Outcome::kUntested,
                             model::Outcome::kUnjudged, model::Outcome::kWaived}) {
    model::Cell cell = cell_of(kHostile, outcome);
    cell.id = cell.step = cell.metric = cell.verdict.reason_id = cell.verdict.reason = kHostile;
    cell.parameters[kHostile] = kHostile;
    if (!cell.measurements.empty()) cell.measurements.back().unit = kHostile;
    report.cells.push_back(cell);
  }
  return report;
}

}  // namespace rackproof::rendered

#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::learn_test {

/// A passed cell of a device with one measurement of `value` in B/s, more is better, and an
/// interval of half a percent around it.
inline model::Cell cell(const std::string& host, const std::string& device, double value) {
  model::Cell cell;
  cell.step = "stream";
  cell.metric = "stream.triad";
  cell.parameters = {{"type", "double"}};
  cell.subject.kind = contract::SubjectKind::kDevice;
  cell.subject.host = host;
  cell.subject.device = device;
  cell.id = "stream/" + host + "/" + device;
  model::Measurement said;
  said.metric = cell.metric;
  said.unit = "B/s";
  said.value = value;
  cell.measurements = {said};
  cell.verdict.outcome = model::Outcome::kPass;
  cell.verdict.statistic = contract::Statistic::kMedian;
  cell.verdict.observed = value;
  cell.verdict.interval_low = value * 0.995;
  cell.verdict.interval_high = value * 1.005;
  return cell;
}

/// An accepted run of a host with one GPU, judged by the table "h200".
inline model::Report report(int number, double value, const std::string& host = "node1") {
  model::Report report;
  report.run.id = "run" + std::to_string(number);
  report.run.began_utc = "2026-03-" + std::to_string(10 + number) + "T08:00:00Z";
  report.tool.version = "1.2.3";
  report.acceptance = model::Acceptance::kAccepted;
  model::StepInfo step;
  step.id = "stream";
  step.backend = "cuda";
  report.steps = {step};
  model::NodeInventory node;
  node.host = host;
  node.facts["cpu.model"] = {contract::Scalar(std::string("EPYC")), "test", ""};
  report.nodes = {node};
  model::PlatformTable table;
  table.id = "h200";
  report.platforms = {table};
  report.platform_of_host = {{host, "h200"}};
  report.cells = {cell(host, "GPU-" + host, value)};
  return report;
}

}  // namespace rackproof::learn_test

#pragma once

#include <string>

#include "harness/ledger/ask.hpp"
#include "harness/ledger/entry.hpp"
#include "harness/ledger/file.hpp"
#include "reports/model/reason_id.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::ledger_test {

constexpr double kDay = 86400;
/// 2026-03-01T00:00:00Z
constexpr double kFirst = 1772323200;

inline model::Fact fact(const std::string& text) { return {contract::Scalar(text), "a test", ""}; }

inline model::Subject device(const std::string& host, const std::string& uuid) {
  model::Subject subject;
  subject.kind = contract::SubjectKind::kDevice;
  subject.host = host;
  subject.device = uuid;
  return subject;
}

inline model::Subject node(const std::string& host) {
  model::Subject subject;
  subject.host = host;
  return subject;
}

/// A run that began on a day of March 2026, and nothing in it.
inline model::Report run_on(int day) {
  model::Report report;
  const std::string date = "2026-03-" + std::string(day < 10 ? "0" : "") + std::to_string(day);
  report.run.id = "run-" + std::to_string(day);
  report.run.began_utc = date + "T02:00:00.000Z";
  report.run.ended_utc = date + "T03:00:00.000Z";
  report.run.labels["rack"] = "rack7";
  report.suite.id = "acceptance";
  report.acceptance = model::Acceptance::kAccepted;
  return report;
}

inline model::NodeInventory& add_host(model::Report& report, const std::string& host) {
  model::NodeInventory& node = report.nodes.emplace_back();
  node.host = host;
  return node;
}

inline void add_gpu(model::NodeInventory& node, const std::string& uuid, int index,
                    const std::string& serial = "") {
  model::DeviceFacts device{uuid, index, {}};
  device.facts["gpu.pci_address"] = fact("0000:1" + std::to_string(index) + ":00.0");
  if (!serial.empty()) device.facts["gpu.serial"] = fact(serial);
  node.devices.push_back(std::move(device));
}

inline model::Cell& add_cell(model::Report& report, const model::Subject& subject,
                             model::Outcome outcome, double observed = 100,
                             const std::string& metric = "gemm.rate") {
  model::Cell& cell = report.cells.emplace_back();
  cell.step = "gemm";
  cell.metric = metric;
  cell.subject = subject;
  cell.id = "gemm/" + metric + "/" + model::label(subject);
  cell.parameters["dtype"] = std::string("bf16");
  cell.measurements.emplace_back().unit = "FLOP/s";
  cell.verdict.outcome = outcome;
  cell.verdict.observed = observed;
  cell.verdict.limit_low = 80;
  if (outcome == model::Outcome::kFail) {
    cell.verdict.reason_id = model::reason_id::kBelowLimit;
    cell.verdict.reason = "below the limit";
  }
  return cell;
}

/// A folder for a ledger that nobody else can write to.
class LedgerFolder {
 public:
  std::string path(const std::string& name = "fleet.sqlite") const { return folder_.path(name); }
  ledger::LedgerFile open() const { return {path(), ledger::LedgerFile::Absent::kMake}; }

 private:
  test::Folder folder_;
};

/// Adds a report whose digest is `digest`.
inline bool add(ledger::LedgerFile& file, const model::Report& report, const std::string& digest) {
  return file.add(ledger::entry_of(report, digest, "/reports/" + digest));
}

}  // namespace rackproof::ledger_test

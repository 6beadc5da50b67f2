#pragma once

#include <string>

#include "harness/ledger/answers.hpp"

namespace rackproof::ledger_test {

inline ledger::RunRef run_ref() {
  return {"night1",
          "2026-03-01T02:00:00.000Z",
          1,
          "acceptance",
          "rack7",
          model::Acceptance::kRejected,
          "/reports/night1/report.json",
          "2026-03-01T02:00:00.000Z",
          1};
}

inline ledger::FailureIn failure_in() {
  ledger::FailureIn failure;
  failure.cell = {run_ref(),
                  "n1/GPU-a",
                  {"gemm", "gemm.rate", "dtype=bf16", "FLOP/s"},
                  model::Outcome::kFail,
                  60e12,
                  80e12,
                  std::nullopt};
  failure.reason_id = "below-limit";
  failure.reason = "below the limit";
  failure.shortfall = 0.25;
  return failure;
}

inline ledger::Sight sight() {
  ledger::Sight sight{run_ref(), {"n1", "0", "0000:10:00.0", "165"}, {}};
  sight.tally.required.fail = 1;
  return sight;
}

/// A GPU that failed in its one run, with one of everything.
inline ledger::PartAnswer gpu() {
  ledger::PartAnswer part;
  part.kind = ledger::PartKind::kGpu;
  part.code = "GPU-a";
  part.runs = {sight()};
  part.stays = {{sight().place, "rack7", run_ref().began_utc, run_ref().began_utc, 1}};
  part.failures = {failure_in()};
  part.findings = {{run_ref(), "hardware-event", model::Severity::kIsolate, "Xid 79"}};
  part.values = {failure_in().cell};
  part.waivers = {{failure_in().cell, "waived until 2026-12-31", "2026-12-31", "J. Doe", ""}};
  return part;
}

inline ledger::Worst worst() {
  return {ledger::PartKind::kGpu, "GPU-a", sight(), 4, 2, failure_in(), std::nullopt};
}

}  // namespace rackproof::ledger_test

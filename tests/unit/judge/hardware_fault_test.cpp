#include <catch2/catch.hpp>

#include "harness/cells/cell.hpp"
#include "tests/unit/judge/builder.hpp"

namespace model = rackproof::model;
using namespace rackproof::judge_test;

TEST_CASE("what ran while its hardware failed fails with or without a number") {
  model::Report report = one_cell();
  model::Event event;
  event.host = kHost;
  event.kind = "edac";
  event.severity = model::Severity::kError;
  event.device = "mc0";
  event.text = "EDAC MC0: 1 UE memory read error";
  event.attempts = {"a1"};
  report.events = {event};
  CHECK(judged(report).outcome == model::Outcome::kFail);
  CHECK(judged(report).reason_id == "hardware-fault");
  CHECK(judged(report).reason ==
        "while attempt 1 of rank 0 on node1 ran, node1/mc0 told: EDAC MC0: 1 UE memory read error");
  report.cells[0].waived = "known";
  CHECK(judged(report).outcome == model::Outcome::kWaived);
  report.cells[0].waived = "";
  report.cells[0].measurements.clear();
  CHECK(judged(report).outcome == model::Outcome::kFail);
  // A good second try does not make the machine whole.
  report = one_cell();
  report.events = {event};
  report.attempts.push_back(attempt(2));
  report.cells[0].measurements.push_back(measurement("a2"));
  CHECK(judged(report).reason_id == "hardware-fault");
}

TEST_CASE("an event that is no fault of what was measured changes no verdict") {
  model::Report report = one_cell();
  report.events.resize(1);
  model::Event& event = report.events[0];
  event = {kHost, "", "edac", model::Severity::kError, "mc0", 0, "UE", 1, {"a1"}};
  REQUIRE(judged(report).outcome == model::Outcome::kFail);
  event.severity = model::Severity::kWarning;
  CHECK(judged(report).outcome == model::Outcome::kPass);
  event.severity = model::Severity::kError;
  event.attempts = {"another"};
  CHECK(judged(report).outcome == model::Outcome::kPass);
  event.attempts = {"a1"};
  event.kind = "aer";
  CHECK(judged(report).outcome == model::Outcome::kPass);
  // A GPU's fault is one of what it is said to have hit; memory is not what a GPU computes with.
  event.device = "GPU-1";
  report.nodes[0].devices = {{"GPU-1", 0, {}}};
  CHECK(judged(report).outcome == model::Outcome::kFail);
  event.kind = "mce";
  event.device = "cpu3";
  CHECK(judged(report).outcome == model::Outcome::kFail);
  report.attempts[0].device = "GPU-1";
  CHECK(judged(report).outcome == model::Outcome::kPass);
}

#include "harness/ledger/ask.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"
#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;
using namespace ledger_test;

/// GPU-a in `host` at `index`, and GPU-b in n9.
model::Report fleet_run(int day, const std::string& host, int index, Outcome outcome,
                        double observed) {
  model::Report report = run_on(day);
  add_gpu(add_host(report, host), "GPU-a", index, "165");
  add_gpu(add_host(report, "n9"), "GPU-b", 0, "166");
  add_cell(report, device(host, "GPU-a"), outcome, observed);
  add_cell(report, device("n9", "GPU-b"), Outcome::kPass, 95);
  if (outcome == Outcome::kFail) report.acceptance = model::Acceptance::kRejected;
  return report;
}

TEST_CASE("a part that moved is one part by each of its names") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  // Not in the order of time.
  add(file, fleet_run(3, "n2", 1, Outcome::kFail, 60), "three");
  add(file, fleet_run(1, "n1", 0, Outcome::kPass, 90), "one");
  add(file, fleet_run(2, "n1", 0, Outcome::kPass, 91), "two");
  for (const char* name : {"GPU-a", "165", "n1 GPU 0", "n2 GPU 1", "n1/GPU-a", "n2/1"}) {
    const std::vector<PartAnswer> parts = ask_part(file, name);
    REQUIRE(parts.size() == 1);
    const PartAnswer& part = parts.front();
    CHECK(part.code == "GPU-a");
    REQUIRE(part.stays.size() == 2);
    CHECK(part.stays[0].place.host == "n1");
    CHECK(part.stays[0].runs == 2);
    CHECK(part.stays[1].place == Place{"n2", "1", "0000:11:00.0", "165"});
    REQUIRE(part.runs.size() == 3);
    CHECK(part.runs[0].run.run == "run-3");
    CHECK(part.runs[0].run.path == "/reports/three");
    REQUIRE(part.failures.size() == 1);
    CHECK(part.failures[0].reason == "below the limit");
    CHECK(part.failures[0].cell.observed == 60);
    CHECK(part.failures[0].cell.low == 80);
    REQUIRE(part.values.size() == 1);
    CHECK(part.values[0].observed == 60);
  }
  const std::vector<PartAnswer> host = ask_part(file, "n1");
  REQUIRE(host.size() == 1);
  REQUIRE(host[0].held.size() == 1);
  CHECK(host[0].held[0].code == "GPU-a");
}

TEST_CASE("a name that two parts had is told of both, the last one first") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  for (const auto& [day, uuid] : {std::pair(1, "GPU-old"), std::pair(2, "GPU-new")}) {
    model::Report report = run_on(day);
    add_gpu(add_host(report, "n1"), uuid, 0);
    add(file, report, uuid);
  }
  const std::vector<PartAnswer> parts = ask_part(file, "n1 GPU 0");
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].code == "GPU-new");
  CHECK(parts[1].code == "GPU-old");
}

TEST_CASE("an unknown part is refused with the name that is near") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, fleet_run(1, "node1", 0, Outcome::kPass, 90), "one");
  CHECK_THROWS_WITH(ask_part(file, "node1 GPU 9"), Catch::Contains("did you mean 'node1 GPU 0'?"));
  CHECK_THROWS_WITH(ask_part(file, "completely else"), Catch::Contains("expected a UUID"));
}

TEST_CASE("what is hostile in names stays a name") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  const std::string name = "n'); DROP TABLE report; --";
  add(file, fleet_run(1, name, 0, Outcome::kPass, 90), "one");
  CHECK(ask_part(file, name).front().code == name);
  CHECK(file.reports() == 1);
}

TEST_CASE("of two reports of one run the one with more segments counts, whichever came first") {
  model::Report first = fleet_run(1, "n1", 0, Outcome::kUntested, 0);
  model::Report resumed = fleet_run(1, "n1", 0, Outcome::kPass, 90);
  resumed.run.segments = 2;
  for (const bool turned : {false, true}) {
    const LedgerFolder folder;
    LedgerFile file = folder.open();
    add(file, turned ? resumed : first, turned ? "b" : "a");
    add(file, turned ? first : resumed, turned ? "a" : "b");
    CHECK(file.reports() == 2);
    const PartAnswer part = ask_part(file, "GPU-a").front();
    REQUIRE(part.runs.size() == 1);
    CHECK(outcome_of(part.runs[0].tally) == Outcome::kPass);
  }
}

TEST_CASE("values are those of the last run of each suite") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, fleet_run(1, "n1", 0, Outcome::kPass, 90), "whole");
  model::Report quick = fleet_run(2, "n1", 0, Outcome::kPass, 99);
  quick.suite.id = "smoke";
  quick.cells[0].metric = "stream.triad";
  add(file, quick, "quick");
  const PartAnswer part = ask_part(file, "GPU-a").front();
  REQUIRE(part.values.size() == 2);
  CHECK(part.values[0].quantity.metric == "stream.triad");
  CHECK(part.values[0].observed == 99);
  CHECK(part.values[1].observed == 90);
}

TEST_CASE("waivers and findings of a part are told with their run") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  model::Report report = fleet_run(1, "n1", 0, Outcome::kWaived, 70);
  report.cells[0].verdict.reason_id = model::reason_id::kWaivedBySite;
  report.cells[0].verdict.reason = "waived until 2026-12-31 by J. Doe";
  model::CellWaiver waiver;
  waiver.until = "2026-12-31";
  waiver.approved_by = "J. Doe";
  report.run.waivers = {waiver};
  report.findings.push_back(
      {"hardware-event", model::Severity::kIsolate, "n9/GPU-b", "Xid 79", "", {}});
  add(file, report, "one");
  const PartAnswer part = ask_part(file, "GPU-a").front();
  REQUIRE(part.waivers.size() == 1);
  CHECK(part.waivers[0].approved_by == "J. Doe");
  CHECK(part.waivers[0].until == "2026-12-31");
  CHECK(part.waivers[0].cell.run.run == "run-1");
  const PartAnswer other = ask_part(file, "GPU-b").front();
  REQUIRE(other.findings.size() == 1);
  CHECK(other.findings[0].text == "Xid 79");
  const std::vector<Worst> worst = ask_worst(file, kFirst);
  REQUIRE(worst.size() == 1);
  CHECK(worst[0].code == "GPU-b");
  REQUIRE(worst[0].finding);
  CHECK(worst[0].finding->id == "hardware-event");
}

TEST_CASE("the worst are asked of the period alone") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, fleet_run(1, "n1", 0, Outcome::kFail, 40), "one");
  add(file, fleet_run(5, "n1", 0, Outcome::kFail, 60), "five");
  add(file, fleet_run(6, "n1", 0, Outcome::kPass, 90), "six");
  const std::vector<Worst> all = ask_worst(file, kFirst);
  REQUIRE(all.size() == 1);
  CHECK(all[0].failed == 2);
  CHECK(all[0].runs == 3);
  CHECK(all[0].last.run.run == "run-6");
  CHECK(all[0].worst->shortfall == Approx(0.5));
  const std::vector<Worst> later = ask_worst(file, kFirst + 3 * kDay);
  REQUIRE(later.size() == 1);
  CHECK(later[0].failed == 1);
  CHECK(later[0].worst->shortfall == Approx(0.25));
  CHECK(ask_worst(file, kFirst + 5 * kDay).empty());
}

TEST_CASE("hosts are due by their accepted whole runs, of one suite where it is asked for") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, fleet_run(1, "n1", 0, Outcome::kPass, 90), "one");
  add(file, fleet_run(9, "n2", 0, Outcome::kFail, 60), "nine");
  model::Report part = run_on(9);
  part.run.id = "part";
  add_host(part, "n3");
  part.steps.emplace_back().state = model::StepState::kLeftOut;
  add(file, part, "part");
  REQUIRE(model::left_out_steps(part).size() == 1);
  const DueAnswer answer = ask_due(file, kFirst + 5 * kDay, "");
  CHECK(answer.hosts == 4);
  REQUIRE(answer.due.size() == 4);
  CHECK(answer.due[0].host == "n2");
  CHECK(answer.due[0].why == Due::kNever);
  CHECK(answer.due[0].last->run == "run-9");
  CHECK(answer.due[1].host == "n3");
  CHECK(answer.due[1].why == Due::kPartly);
  CHECK(answer.due[2].host == "n1");
  CHECK(answer.due[2].why == Due::kOld);
  CHECK(answer.due[3].host == "n9");
  CHECK(ask_due(file, kFirst, "").due.size() == 2);
  CHECK(ask_due(file, kFirst, "smoke").due.size() == 4);
}

TEST_CASE("a host is due by the oldest number of the run that amends another") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  model::Report repaired = fleet_run(9, "n1", 0, Outcome::kPass, 90);
  repaired.amends.emplace().oldest_utc = run_on(1).run.began_utc;
  add(file, repaired, "repaired");
  const DueAnswer answer = ask_due(file, kFirst + 5 * kDay, "");
  REQUIRE(!answer.due.empty());
  CHECK(answer.due.front().why == Due::kOld);
  CHECK(answer.due.front().whole->run == "run-9");
  CHECK(answer.due.front().whole->evidence_utc == run_on(1).run.began_utc);
  CHECK(ask_due(file, kFirst, "").due.empty());
  // A run of all between the two has younger numbers.
  add(file, fleet_run(6, "n1", 0, Outcome::kPass, 90), "six");
  CHECK(ask_due(file, kFirst + 4 * kDay, "").due.empty());
}

TEST_CASE("failures are counted by kind, metric and reason, and a part that moved once") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, fleet_run(1, "n1", 0, Outcome::kFail, 40), "one");
  add(file, fleet_run(2, "n2", 0, Outcome::kFail, 60), "two");
  add(file, fleet_run(3, "n2", 0, Outcome::kPass, 90), "three");
  const FailuresAnswer answer = ask_failures(file, kFirst);
  CHECK(answer.runs == 3);
  CHECK(answer.rejected == 2);
  REQUIRE(answer.groups.size() == 1);
  const FailureGroup& group = answer.groups.front();
  CHECK(group.kind == "gpu");
  CHECK(group.metric == "gemm.rate");
  CHECK(group.id == model::reason_id::kBelowLimit);
  CHECK(group.cells == 2);
  CHECK(group.parts == 1);
  CHECK(group.runs == 2);
  CHECK(group.shortfall == Approx(0.5));
  CHECK(ask_failures(file, kFirst + 2 * kDay).groups.empty());
}

TEST_CASE("rates count failures of parts that had been good, and the days in between") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  CHECK(ask_rates(file).empty());
  // GPU-a: good, fails twice in a row, good, fails: two failures in 8 days. GPU-b is good all
  // along.
  const std::pair<int, Outcome> runs[] = {{1, Outcome::kPass},
                                          {2, Outcome::kFail},
                                          {5, Outcome::kFail},
                                          {7, Outcome::kPass},
                                          {9, Outcome::kFail}};
  for (const auto& [day, outcome] : runs) {
    add(file, fleet_run(day, day < 5 ? "n1" : "n2", 0, outcome, 60), "run" + std::to_string(day));
  }
  const std::vector<PartRate> rates = ask_rates(file);
  REQUIRE(rates.size() == 1);
  CHECK(rates[0].kind == PartKind::kGpu);
  CHECK(rates[0].failures == 2);
  CHECK(rates[0].days == Approx(16));
}

TEST_CASE("a part that fails when it is first seen says nothing of how often good ones fail") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, fleet_run(1, "n1", 0, Outcome::kFail, 60), "one");
  add(file, fleet_run(3, "n1", 0, Outcome::kFail, 60), "two");
  const std::vector<PartRate> rates = ask_rates(file);
  REQUIRE(rates.size() == 1);
  CHECK(rates[0].failures == 0);
  CHECK(rates[0].days == Approx(4));
}

}  // namespace
}  // namespace rackproof::ledger

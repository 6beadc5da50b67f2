#include <catch2/catch.hpp>

#include "harness/ledger/overview.hpp"
#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;
using namespace ledger_test;

/// `uuid` at index 0 of n1, in rack7.
model::Report night(int day, Outcome outcome, const std::string& uuid = "GPU-a") {
  model::Report report = run_on(day);
  add_gpu(add_host(report, "n1"), uuid, 0);
  add_cell(report, device("n1", uuid), outcome, outcome == Outcome::kFail ? 40 : 90);
  if (outcome == Outcome::kFail) report.acceptance = model::Acceptance::kRejected;
  return report;
}

TEST_CASE("each rack and suite is a line of its runs, the newest first") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, night(1, Outcome::kPass), "one");
  add(file, night(3, Outcome::kFail), "three");
  model::Report smoke = night(2, Outcome::kPass);
  smoke.suite.id = "smoke";
  add(file, smoke, "two");
  model::Report bare = run_on(4);
  bare.run.labels.clear();
  add_host(bare, "m2");
  add_host(bare, "m1");
  add(file, bare, "four");
  const Overview overview = ask_overview(file, kFirst);
  REQUIRE(overview.lines.size() == 3);
  CHECK(overview.lines[0].rack == "m1");
  CHECK(overview.lines[0].hosts == 2);
  CHECK(overview.lines[1].rack == "rack7");
  CHECK(overview.lines[1].suite == "acceptance");
  CHECK(overview.lines[1].gpus == 1);
  REQUIRE(overview.lines[1].runs.size() == 2);
  CHECK(overview.runs[overview.lines[1].runs[0]].run == "run-3");
  CHECK(overview.runs[overview.lines[1].runs[1]].run == "run-1");
  REQUIRE(overview.lines[1].changes.size() == 1);
  CHECK(overview.lines[1].changes[0].turn == Turn::kFails);
  CHECK(overview.lines[2].suite == "smoke");
  CHECK(ask_overview(file, kFirst + 3 * kDay).runs.size() == 1);
}

TEST_CASE("a run is held against the last one before it that left out no host") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, night(1, Outcome::kPass), "one");
  model::Report partial = run_on(2);
  add_host(partial, "n2");
  partial.run.left_out_hosts = {"n1"};
  add(file, partial, "two");
  Overview overview = ask_overview(file, kFirst);
  CHECK(overview.lines[0].left_out_hosts == 1);
  CHECK(overview.runs[overview.lines[0].before.value()].run == "run-1");
  // n1 is not gone, and n2 is new.
  REQUIRE(overview.lines[0].changes.size() == 1);
  CHECK(overview.lines[0].changes[0].turn == Turn::kCame);
  add(file, night(3, Outcome::kFail), "three");
  overview = ask_overview(file, kFirst);
  CHECK(overview.runs[overview.lines[0].before.value()].run == "run-1");
  REQUIRE(overview.lines[0].changes.size() == 1);
  CHECK(overview.lines[0].changes[0].turn == Turn::kFails);
}

TEST_CASE("waivers of the newest run are told by reason, those that end first first") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  const auto waived = [](int day) {
    model::Report report = night(day, Outcome::kWaived);
    add_cell(report, device("n1", "GPU-a"), Outcome::kWaived, 70, "stream.triad");
    add_cell(report, node("n1"), Outcome::kWaived, 70, "cpu.rate");
    for (model::Cell& cell : report.cells) {
      cell.verdict.reason_id = model::reason_id::kWaivedBySite;
      cell.verdict.reason = "waived until 2026-12-31 by J. Doe";
    }
    report.cells[2].verdict.reason_id = model::reason_id::kWaivedBySuite;
    report.cells[2].verdict.reason = "the suite waives it";
    model::CellWaiver waiver;
    waiver.until = "2026-12-31";
    waiver.approved_by = "J. Doe";
    waiver.ticket = "OPS-1";
    report.run.waivers = {waiver};
    return report;
  };
  add(file, waived(1), "one");
  add(file, waived(2), "two");
  const Overview overview = ask_overview(file, kFirst);
  REQUIRE(overview.lines.size() == 1);
  const std::vector<OpenWaiver>& waivers = overview.lines[0].waivers;
  REQUIRE(waivers.size() == 2);
  CHECK(waivers[0].until == "2026-12-31");
  CHECK(waivers[0].approved_by == "J. Doe");
  CHECK(waivers[0].ticket == "OPS-1");
  CHECK(waivers[0].cells == 2);
  CHECK(waivers[0].metrics == 2);
  CHECK(waivers[0].subjects == 1);
  CHECK(waivers[1].until.empty());
  add(file, night(3, Outcome::kPass), "three");
  CHECK(ask_overview(file, kFirst).lines[0].waivers.empty());
}

TEST_CASE("a part that failed has its runs, and what took its place") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  add(file, night(1, Outcome::kPass), "one");
  add(file, night(2, Outcome::kFail), "two");
  add(file, night(3, Outcome::kPass, "GPU-b"), "three");
  const std::vector<Worst> worst = ask_worst(file, kFirst);
  REQUIRE(worst.size() == 1);
  const Histories histories = ask_histories(file, kFirst, worst, 10);
  REQUIRE(histories.parts.size() == 1);
  const PartHistory& part = histories.parts[0];
  CHECK(part.code == "GPU-a");
  REQUIRE(part.worst);
  CHECK(part.worst->failed == 1);
  REQUIRE(part.runs.size() == 2);
  CHECK(part.runs[0].outcome == Outcome::kFail);
  CHECK(part.runs[1].outcome == Outcome::kPass);
  CHECK(part.heir == "GPU-b");
  CHECK(part.heir_utc == run_on(3).run.began_utc);
  CHECK(part.lost_utc == run_on(3).run.began_utc);
  CHECK(histories.left_out == 0);
  CHECK(ask_histories(file, kFirst, worst, 0).left_out == 1);
}

TEST_CASE(
    "a part that its host is seen without has a history, one whose host is not seen has none") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  model::Report before = run_on(1);
  add_gpu(add_host(before, "n1"), "GPU-gone", 0);
  add_gpu(before.nodes.front(), "GPU-here", 1);
  add_gpu(add_host(before, "n2"), "GPU-elsewhere", 0);
  add(file, before, "one");
  for (const int day : {2, 3}) {
    model::Report after = run_on(day);
    add_gpu(add_host(after, "n1"), "GPU-here", 1);
    add(file, after, std::to_string(day));
  }
  const Histories histories = ask_histories(file, kFirst, {}, 10);
  REQUIRE(histories.parts.size() == 1);
  CHECK(histories.parts[0].code == "GPU-gone");
  CHECK(histories.parts[0].lost_utc == run_on(2).run.began_utc);
  CHECK(histories.parts[0].heir.empty());
}

TEST_CASE("a part that moved without a failure has a history, one that stayed has none") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  for (const auto& [day, host] : {std::pair(1, "n1"), std::pair(2, "n2")}) {
    model::Report report = run_on(day);
    add_gpu(add_host(report, host), "GPU-a", 0);
    add_gpu(add_host(report, "n9"), "GPU-b", 0);
    add(file, report, host);
  }
  const Histories histories = ask_histories(file, kFirst, {}, 10);
  REQUIRE(histories.parts.size() == 1);
  CHECK(histories.parts[0].code == "GPU-a");
  CHECK_FALSE(histories.parts[0].worst);
  CHECK(histories.parts[0].lost_utc.empty());
  REQUIRE(histories.parts[0].stays.size() == 2);
  CHECK(histories.parts[0].stays[1].place.host == "n2");
  CHECK(ask_histories(file, kFirst + kDay, {}, 10).parts.empty());
}

}  // namespace
}  // namespace rackproof::ledger

#include "harness/judge/site_waivers.hpp"

#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/reason_id.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Acceptance;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

constexpr std::size_t kSlow = 3;

model::CellWaiver waiver_of_slow() {
  model::CellWaiver one;
  one.metric = "stream.*";
  one.subject = "n3";
  one.reason = "a DIMM comes on Monday";
  one.until = "2099-12-31";
  one.approved_by = "J. Doe";
  one.ticket = "OPS-17";
  return one;
}

/// Four hosts of which the last one is a fifth too slow.
model::Report slow_host(std::vector<model::CellWaiver> waivers, double value = 80) {
  model::Report report = fleet({100, 100, 100, value});
  report.platforms[0].baselines = {baseline()};
  report.run.began_utc = "2026-11-26T01:02:03Z";
  report.run.waivers = std::move(waivers);
  return report;
}

model::Report judged_with(model::Report report) {
  judge::judge(report);
  return report;
}

const model::Finding* finding(const model::Report& report, const char* id) {
  for (const model::Finding& one : report.findings) {
    if (one.id == id) return &one;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("without a waiver the slow host rejects the run, with one it is excused and counted") {
  CHECK(judged_with(slow_host({})).acceptance == Acceptance::kRejected);
  const model::Report report = judged_with(slow_host({waiver_of_slow()}));
  CHECK(report.acceptance == Acceptance::kAccepted);
  CHECK(report.acceptance_reason ==
        "3 of 4 required cells pass, 1 waived; of them 1 waived until 2099-12-31 by J. Doe");
  const model::Verdict& verdict = report.cells[kSlow].verdict;
  CHECK(verdict.outcome == Outcome::kWaived);
  CHECK(verdict.reason_id == model::reason_id::kWaivedBySite);
  CHECK(verdict.reason.starts_with(
      "waived until 2099-12-31 by J. Doe (OPS-17): a DIMM comes on Monday; without it: "));
  CHECK(verdict.observed == Approx(80));
  REQUIRE(finding(report, model::finding_id::kCellsWaived) != nullptr);
  CHECK(finding(report, model::finding_id::kCellsWaived)->subject == "n3");
}

TEST_CASE("what passes stays a pass, and a waiver that nothing needs says so") {
  model::CellWaiver all = waiver_of_slow();
  all.subject = "n?";
  const model::Report report = judged_with(slow_host({all}, 100));
  CHECK(report.required_counts.pass == 4);
  CHECK(report.required_counts.waived == 0);
  CHECK(finding(report, model::finding_id::kWaiverUnused) != nullptr);
}

TEST_CASE("a waiver excuses through its last day, and then the cell is required again") {
  model::CellWaiver one = waiver_of_slow();
  one.until = "2026-11-26";
  CHECK(judged_with(slow_host({one})).acceptance == Acceptance::kAccepted);
  one.until = "2026-11-25";
  const model::Report report = judged_with(slow_host({one}));
  CHECK(report.acceptance == Acceptance::kRejected);
  CHECK(report.acceptance_reason.starts_with(
      "the waiver of stream.* by J. Doe ended on 2026-11-25; n3: 1 too slow, "));
  CHECK(report.cells[kSlow].verdict.outcome == Outcome::kFail);
  REQUIRE(finding(report, model::finding_id::kWaiverOver) != nullptr);
  CHECK(finding(report, model::finding_id::kWaiverOver)->text ==
        "the waiver of stream.* by J. Doe ended on 2026-11-25: one result is required again");
}

TEST_CASE("a waiver with a limit excuses what reaches it") {
  model::CellWaiver one = waiver_of_slow();
  one.limit = 75;
  one.unit = "B/s";
  CHECK(judged_with(slow_host({one})).acceptance == Acceptance::kAccepted);
  const model::Report report = judged_with(slow_host({one}, 70));
  CHECK(report.acceptance == Acceptance::kRejected);
  REQUIRE(finding(report, model::finding_id::kWaiverRefused) != nullptr);
  CHECK(finding(report, model::finding_id::kWaiverRefused)->text ==
        "the waiver of stream.* does not excuse one result: 70 B/s is worse than 75 B/s, which the "
        "waiver asks for");
  one.unit = "s";
  CHECK(judged_with(slow_host({one})).acceptance == Acceptance::kRejected);
}

TEST_CASE("nobody excuses a wrong answer, or a fault of the hardware") {
  model::Report wrong = slow_host({waiver_of_slow()});
  wrong.attempts[kSlow].checks = {bad_check()};
  const model::Report report = judged_with(wrong);
  CHECK(report.acceptance == Acceptance::kRejected);
  CHECK(report.cells[kSlow].verdict.reason_id == model::reason_id::kWrongAnswer);
  CHECK(finding(report, model::finding_id::kWaiverRefused) != nullptr);
}

TEST_CASE("what nobody measured is excused, but not where the waiver asks for a number") {
  model::Report lost = slow_host({waiver_of_slow()});
  lost.cells[kSlow].measurements.clear();
  lost.attempts.erase(lost.attempts.begin() + kSlow);
  CHECK(judged_with(lost).acceptance == Acceptance::kAccepted);
  lost.run.waivers[0].limit = 1;
  lost.run.waivers[0].unit = "B/s";
  CHECK(judged_with(lost).acceptance == Acceptance::kIncomplete);
}

TEST_CASE("a waiver is about the steps, metrics and parameters that it names") {
  model::CellWaiver one = waiver_of_slow();
  one.step = "other";
  CHECK(judged_with(slow_host({one})).acceptance == Acceptance::kRejected);
  one = waiver_of_slow();
  one.metric = "gemm.*";
  CHECK(judged_with(slow_host({one})).acceptance == Acceptance::kRejected);
  one = waiver_of_slow();
  one.parameters = {{"threads", contract::Scalar(std::int64_t{12345})}};
  CHECK(judged_with(slow_host({one})).acceptance == Acceptance::kRejected);
}

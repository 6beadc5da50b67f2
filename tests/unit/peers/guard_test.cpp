#include "harness/peers/guard.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "harness/judge/cell_judge.hpp"
#include "harness/judge/judge.hpp"
#include "reports/model/finding_id.hpp"
#include "tests/unit/judge/builder.hpp"

namespace cells = rackproof::cells;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
namespace peers = rackproof::peers;
using namespace rackproof::judge_test;

namespace {

bool has(const model::Report& report, const std::string& id) {
  return std::any_of(report.findings.begin(), report.findings.end(),
                     [&](const model::Finding& one) { return one.id == id; });
}

/// Sixteen hosts, the third of which stands out, and one link that is judged by its limit.
model::Report hosts_and_a_link() {
  model::Report report = empty_report();
  report.platforms[0].baselines = {baseline()};
  for (int i = 0; i < 16; ++i) {
    const std::string host = "n" + std::to_string(i);
    report.platform_of_host[host] = kPlatform;
    report.attempts.push_back(attempt(1, host));
    report.cells.push_back(cell(node(host)));
    report.cells.back().measurements = {
        measurement(report.attempts.back().nonce, i == 2 ? 95 : 100)};
  }
  return report;
}

}  // namespace

TEST_CASE("what a rule throws is a finding that keeps the run from being accepted") {
  std::vector<model::Finding> findings;
  peers::guarded("peers", findings, [] { throw std::domain_error("the middle of nothing"); });
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == model::finding_id::kRuleFailed);
  CHECK(findings[0].severity == model::Severity::kError);
  CHECK(findings[0].text.find("the middle of nothing") != std::string::npos);
  peers::guarded("votes", findings, [] {});
  CHECK(findings.size() == 1);
  // Judged elsewhere, the same evidence has no such finding.
  CHECK_THROWS_AS(peers::guarded("peers", findings, [] { throw std::bad_alloc(); }),
                  std::bad_alloc);
}

TEST_CASE("a rule that fails leaves the other rules' verdicts, and nothing is accepted") {
  model::Report report = hosts_and_a_link();
  judge::judge(report);
  REQUIRE(has(report, "peer-outlier"));
  REQUIRE(report.acceptance == model::Acceptance::kAccepted);
  const model::Counts counts = report.counts;

  judge::CellJudge cell_judge(report);
  judge::CellJudge::Part part(cell_judge);
  for (model::Cell& one : report.cells) one.verdict = part.judge_cell(one);
  std::vector<cells::JudgedCells> parts;
  parts.push_back(part.take());
  cell_judge.add(std::move(parts));
  // The comparison of peers asks for the cells that it names.
  cell_judge.decide([](std::size_t) -> const model::Cell& { throw std::runtime_error("no cell"); });
  cell_judge.conclude(report, [&](std::size_t i) -> const model::Cell& { return report.cells[i]; });
  CHECK(report.counts == counts);
  CHECK(has(report, model::finding_id::kRuleFailed));
  CHECK_FALSE(has(report, "peer-outlier"));
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.find("the rule peers could not be applied: no cell") == 0);
}

TEST_CASE("a conclusion that fails is no acceptance, and there is a report all the same") {
  model::Report report = one_cell(1);
  judge::CellJudge cell_judge(report);
  judge::CellJudge::Part part(cell_judge);
  report.cells[0].verdict = part.judge_cell(report.cells[0]);
  std::vector<cells::JudgedCells> parts;
  parts.push_back(part.take());
  cell_judge.add(std::move(parts));
  const cells::CellAt none = [](std::size_t) -> const model::Cell& {
    throw std::runtime_error("no cell");
  };
  cell_judge.decide(none);
  report.acceptance = model::Acceptance::kAccepted;
  cell_judge.conclude(report, none);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(has(report, model::finding_id::kRuleFailed));
  CHECK(report.cells[0].verdict.outcome == model::Outcome::kFail);
}

TEST_CASE("judging again forgets a rule that failed, and keeps a part that could not be made") {
  model::Report report = one_cell();
  judge::judge(report);
  report.findings.push_back(peers::rule_failed("peers", "once"));
  peers::note_failed_part(report, "report.html", "out of colours");
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  const std::string reason = report.acceptance_reason;
  judge::judge(report);
  CHECK_FALSE(has(report, model::finding_id::kRuleFailed));
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason == reason);
}

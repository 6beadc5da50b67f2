#include "harness/peers/peer_findings.hpp"

#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "reports/model/finding_id.hpp"
#include "tests/unit/judge/builder.hpp"

namespace contract = rackproof::contract;
namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;

namespace {

/// Hosts that agree to half a percent, `slow` of which measure that share of the others' value.
/// A baseline that both meet.
model::Report rack(std::size_t hosts, std::size_t slow, double share, int metrics = 1) {
  model::Report report = empty_report();
  report.platforms[0].baselines = {baseline()};
  report.platforms[0].baselines[0].expected = 1;
  for (std::size_t i = 0; i < hosts; ++i) {
    const std::string host = "n" + std::to_string(i);
    report.platform_of_host[host] = kPlatform;
    report.attempts.push_back(attempt(1, host));
    for (int metric = 0; metric < metrics; ++metric) {
      const double value = 100 + 0.05 * static_cast<double>((i * 7 + metric * 3) % 10);
      report.cells.push_back(cell(node(host)));
      report.cells.back().parameters["size"] = std::int64_t{metric};
      report.cells.back().measurements = {measurement(
          report.attempts.back().nonce, metric == 0 && i < slow ? value * share : value)};
    }
  }
  judge::judge(report);
  return report;
}

const model::Finding* groups_of(const model::Report& report) {
  for (const model::Finding& finding : report.findings) {
    if (finding.id == model::finding_id::kBimodalPeers) return &finding;
  }
  return nullptr;
}

std::int64_t slower_of(const model::Report& report) {
  return std::get<std::int64_t>(groups_of(report)->evidence.at("slower"));
}

}  // namespace

TEST_CASE("a rack in which some are slow together is not accepted") {
  const auto [hosts, slow] = GENERATE(table<std::size_t, std::size_t>(
      {{64, 7}, {16, 4}, {64, 16}, {4, 2}, {8, 4}, {6, 3}, {8, 2}, {16, 3}, {64, 6}, {64, 2}}));
  INFO(slow << " of " << hosts);
  const model::Report report = rack(hosts, slow, 0.5);
  REQUIRE(groups_of(report) != nullptr);
  CHECK(groups_of(report)->severity == model::Severity::kError);
  CHECK(slower_of(report) == static_cast<std::int64_t>(slow));
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
  CHECK(report.acceptance_reason.find("two groups among equals") == 0);
  const auto& members = std::get<std::string>(groups_of(report)->evidence.at("members"));
  CHECK(members.find("n0, n1") == 0);
  CHECK(report.counts.fail == 0);
}

TEST_CASE("halves of few parts, one of them a tenth slower in one of many metrics") {
  const std::size_t hosts = GENERATE(4U, 6U, 8U);
  const model::Report report = rack(hosts, hosts / 2, 0.9, 40);
  REQUIRE(groups_of(report) != nullptr);
  CHECK(slower_of(report) == static_cast<std::int64_t>(hosts / 2));
  CHECK(groups_of(report)->subject.find("n0, n1") == 0);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("the slower group is named, also where it is the larger one and where less is better") {
  CHECK(slower_of(rack(20, 15, 0.5)) == 15);
  model::Report times = rack(8, 4, 0.5);
  for (model::Cell& one : times.cells) one.measurements[0].better = contract::Better::kLess;
  judge::judge(times);
  CHECK(groups_of(times)->subject == "n4, n5, n6, n7");
}

TEST_CASE("three groups are two at least") {
  model::Report report = rack(64, 32, 0.5);
  for (std::size_t i = 0; i < 16; ++i) {
    for (double& sample : report.cells[i].measurements[0].samples) sample *= 1.5;
  }
  judge::judge(report);
  REQUIRE(groups_of(report) != nullptr);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("a table, a suite or a reason given with the run says that both groups are right") {
  model::Report report = rack(16, 4, 0.5);
  report.suite.policy.accept_groups = "four older boards";
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  CHECK(groups_of(report)->severity == model::Severity::kWarning);
  CHECK(groups_of(report)->text.find("four older boards") != std::string::npos);

  report.suite.policy.accept_groups.clear();
  report.platforms[0].groups = {{"stream.*", {}, "two lots of memory"}};
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
  report.platforms[0].groups[0].metric = "gemm.*";
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kIncomplete);
}

TEST_CASE("groups nearer than what fails a part are told and accepted") {
  const model::Report report = rack(40, 12, 0.98);
  REQUIRE(groups_of(report) != nullptr);
  CHECK(groups_of(report)->severity == model::Severity::kWarning);
  CHECK(report.acceptance == model::Acceptance::kAccepted);
}

TEST_CASE("groups do not hide a part that failed") {
  model::Report report = rack(16, 4, 0.5);
  report.platforms[0].baselines[0].expected = 100;
  judge::judge(report);
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(report.acceptance_reason.find("two groups among equals") != std::string::npos);
}

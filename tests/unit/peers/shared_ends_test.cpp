#include "harness/peers/shared_ends.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using namespace rackproof::judge_test;

namespace {

// Hosts n0, n1 ... and a link between every two of them; `value` gives what a link measures.
template <class Value>
model::Report matrix(int hosts, Value value) {
  model::Report report = empty_report();
  report.platforms.front().baselines = {baseline()};
  report.attempts = {attempt()};
  report.attempts.front().subject = group("world", {});
  for (int i = 0; i < hosts; ++i) {
    const std::string name = "n" + std::to_string(i);
    report.platform_of_host[name] = kPlatform;
    report.attempts.front().subject.members.push_back(name);
    for (int j = i + 1; j < hosts; ++j) {
      report.cells.push_back(cell(link_of(name, "n" + std::to_string(j))));
      report.cells.back().measurements = {measurement("a1", value(i, j))};
      report.cells.back().measurements.back().subject = report.cells.back().subject;
    }
  }
  judge::judge(report);
  return report;
}

std::vector<std::string> slow_hosts(const model::Report& report) {
  std::vector<std::string> hosts;
  for (const auto& finding : report.findings) {
    if (finding.id == "slow-host") hosts.push_back(finding.subject);
  }
  return hosts;
}

}  // namespace

TEST_CASE("the host that all slow links have in common is named, and first") {
  const auto report = matrix(4, [](int i, int j) { return i == 2 || j == 2 ? 10.0 : 100.0; });
  CHECK(report.acceptance == model::Acceptance::kRejected);
  CHECK(slow_hosts(report) == std::vector<std::string>{"n2"});
  CHECK(report.acceptance_reason.find("n2: all 3 links of n2 to other hosts failed in "
                                      "stream.triad") == 0);
  CHECK(report.counts.fail == 3);
}

TEST_CASE("one bad link is no host") {
  CHECK(
      slow_hosts(matrix(4, [](int i, int j) { return i == 1 && j == 2 ? 10.0 : 100.0; })).empty());
}

TEST_CASE("where all are slow nobody stands out") {
  CHECK(slow_hosts(matrix(4, [](int, int) { return 10.0; })).empty());
  CHECK(slow_hosts(matrix(4, [](int, int) { return 100.0; })).empty());
}

TEST_CASE("two hosts have one link, which does not tell whose fault it is") {
  CHECK(slow_hosts(matrix(2, [](int, int) { return 10.0; })).empty());
}

TEST_CASE("of three hosts the slow one is told, and of six two") {
  CHECK(slow_hosts(matrix(3, [](int i, int) { return i == 0 ? 10.0 : 100.0; })) ==
        std::vector<std::string>{"n0"});
  const auto either = [](int i, int j) {
    return i == 4 || i == 5 || j == 4 || j == 5 ? 10.0 : 100.0;
  };
  CHECK(slow_hosts(matrix(7, either)) == std::vector<std::string>{"n4", "n5"});
}

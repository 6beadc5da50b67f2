#include "harness/cells/kinds.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "harness/judge/judge.hpp"
#include "tests/unit/judge/builder.hpp"

namespace judge = rackproof::judge;
namespace model = rackproof::model;
using model::Outcome;
using namespace rackproof::judge_test;

namespace {

constexpr std::size_t kMetrics = 30;
constexpr std::size_t kHosts = 16;

/// Which parts of which metrics are worth less: by metric and host.
using Worth = double (*)(std::size_t metric, std::size_t host);

double two_kinds(std::size_t, std::size_t host) { return host % 2 == 0 ? 1 : 0.975; }

/// A fleet of many metrics, each a parameter of the one, measured and confirmed.
model::Report fleet_of(Worth worth) {
  std::mt19937 random(3);
  std::normal_distribution<double> noise(0, 0.004);
  model::Report report = fleet(std::vector<double>(kHosts, 100));
  report.suite.policy.peer_outlier_fails = true;
  const std::vector<model::Cell> one = report.cells;
  report.cells.clear();
  for (std::size_t m = 0; m < kMetrics; ++m) {
    for (std::size_t host = 0; host < kHosts; ++host) {
      model::Cell cell = one[host];
      cell.parameters["size"] = static_cast<std::int64_t>(m);
      cell.id += std::to_string(m);
      const double value = 100 * worth(m, host) * (1 + noise(random));
      model::Measurement& said = cell.measurements.front();
      said.value = value;
      said.samples = samples_around(value);
      report.cells.push_back(std::move(cell));
    }
  }
  confirm(report, 4);
  return report;
}

std::vector<std::string> failed(model::Report report) {
  judge::judge(report);
  std::vector<std::string> ids;
  for (const model::Cell& cell : report.cells) {
    if (cell.verdict.outcome == Outcome::kFail) ids.push_back(cell.id);
  }
  return ids;
}

std::size_t suspects(const model::Report& report, const std::string& step = kStep) {
  std::size_t count = 0;
  for (const auto& set : judge::find_suspects(report, step)) count += set.cells.size();
  return count;
}

std::vector<model::Finding> groups(model::Report report) {
  judge::judge(report);
  std::erase_if(report.findings, [](const auto& one) { return one.id != "bimodal-peers"; });
  return report.findings;
}

}  // namespace

TEST_CASE("each kind is compared by itself") {
  // Of the fast kind one is slow in one metric: 5.5 % below the slow kind it would be let pass.
  const model::Report report = fleet_of([](std::size_t metric, std::size_t host) {
    return two_kinds(metric, host) * (metric == 5 && host == 4 ? 0.92 : 1);
  });
  CHECK(failed(report).size() == 1);
  CHECK(suspects(report) == 1);
  CHECK(suspects(fleet_of(two_kinds)) == 0);
  CHECK(failed(fleet_of(two_kinds)).empty());
}

TEST_CASE("one of a fast kind that is no slower than the slow kind is suspected") {
  // Nobody is 3 % behind the median of all others: the slow kind is more than half.
  const model::Report report = fleet_of([](std::size_t metric, std::size_t host) {
    return (host < 6 ? 1 : 0.93) * (metric == 5 && host == 4 ? 0.92 : 1);
  });
  CHECK(suspects(report) == 1);
  CHECK(failed(report).size() == 1);
}

TEST_CASE("kinds that lie less than the effect apart keep nothing back, and more do") {
  const auto close = [](std::size_t, std::size_t host) { return host % 2 == 0 ? 1.0 : 0.98; };
  for (const model::Finding& finding : groups(fleet_of(close))) {
    CHECK(finding.severity == model::Severity::kWarning);
  }
  const auto found = groups(fleet_of([](std::size_t metric, std::size_t host) {
    return two_kinds(metric, host) * (metric == 5 && host % 2 == 1 ? 0.98 : 1);
  }));
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kError);
  CHECK(std::get<std::int64_t>(found[0].evidence.at("slower")) == kHosts / 2);
}

TEST_CASE("a quarter that is slow throughout is a group that keeps the run back") {
  const auto found =
      groups(fleet_of([](std::size_t, std::size_t host) { return host < 4 ? 0.95 : 1; }));
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kError);
  CHECK(found[0].subject == "n0, n1, n2, n3");
}

TEST_CASE("a part that is slow throughout fails though it looks like one of a slow kind") {
  const model::Report report = fleet_of([](std::size_t metric, std::size_t host) {
    return host == 4 ? 0.92 : two_kinds(metric, host);
  });
  const auto ids = failed(report);
  CHECK(ids.size() > kMetrics / 2);
  for (const std::string& id : ids) CHECK(id.find("/n4/") != std::string::npos);
}

TEST_CASE("later steps change nothing about who is measured again") {
  model::Report report = fleet_of([](std::size_t metric, std::size_t host) {
    return two_kinds(metric, host) * (metric == 1 && host == 4 ? 0.92 : 1);
  });
  // Two metrics in the first step, by which no kinds can be told; the others in a later one.
  model::StepInfo later = report.steps.front();
  later.id = "later";
  report.steps.push_back(later);
  for (model::Cell& cell : report.cells) {
    if (std::get<std::int64_t>(cell.parameters.at("size")) > 1) cell.step = "later";
  }
  const std::size_t alone = suspects(report);
  model::Report so_far = report;
  std::erase_if(so_far.cells, [](const model::Cell& cell) { return cell.step == "later"; });
  CHECK(suspects(so_far) == alone);
  // In the later step all metrics tell them.
  CHECK(suspects(report, "later") == 0);
}

TEST_CASE("two parts slow once in the same metric are no group when measured again") {
  const auto once = [](std::size_t metric, std::size_t host) {
    return metric == 5 && (host == 4 || host == 9) ? 0.85 : 1.0;
  };
  // What was slow stays slow: both fail, and the group stands.
  auto found = groups(fleet_of(once));
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kError);
  const auto recovered = [](Worth worth) {
    model::Report report = fleet_of(worth);
    for (model::Cell& cell : report.cells) {
      for (model::Measurement& again : cell.confirmations) {
        again.value = 100;
        again.samples = samples_around(100);
      }
    }
    return groups(report);
  };
  found = recovered(once);
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kWarning);
  // Together in two metrics: they may share what is slow while both run.
  found = recovered([](std::size_t metric, std::size_t host) {
    return (metric == 5 || metric == 8) && (host == 4 || host == 9) ? 0.85 : 1.0;
  });
  REQUIRE(found.size() == 1);
  CHECK(found[0].severity == model::Severity::kError);
}

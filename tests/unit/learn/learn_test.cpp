#include "harness/learn/learn.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/learn/support.hpp"

namespace contract = rackproof::contract;
namespace learn = rackproof::learn;
namespace model = rackproof::model;
using namespace rackproof::learn_test;

namespace {

std::vector<model::Report> runs(const std::vector<double>& values) {
  std::vector<model::Report> all;
  for (const double value : values) all.push_back(report(static_cast<int>(all.size()), value));
  return all;
}

learn::Lesson lesson(std::vector<model::Report> reports) {
  return learn::learn_table(std::move(reports), {"site", "Site", 5, 0.02});
}

std::string refusal(std::vector<model::Report> reports) {
  try {
    lesson(std::move(reports));
  } catch (const learn::BadReports& error) {
    return error.what();
  }
  return "";
}

const std::vector<double> kHealthy = {100, 100.4, 99.7, 100.1, 99.9, 100.2};

}  // namespace

TEST_CASE("a table has the median, a tolerance, and says where they come from") {
  const learn::Lesson learned = lesson(runs(kHealthy));
  CHECK(learned.extends == "h200");
  CHECK(learned.table.id == "site");
  CHECK(learned.table.recognise.empty());
  CHECK(learned.unfit.empty());
  REQUIRE(learned.table.baselines.size() == 1);
  const model::Baseline& one = learned.table.baselines[0];
  CHECK(one.metric == "stream.triad");
  CHECK(one.parameters == contract::Parameters{{"type", "double"}});
  CHECK(one.backend == "cuda");
  CHECK(one.expected == Approx(100.05));
  CHECK(one.unit == "B/s");
  CHECK(one.tolerance_below == Approx(0.02));
  CHECK_FALSE(one.tolerance_above);
  CHECK(one.nodes_min == 1);
  CHECK(one.nodes_max == 1);
  CHECK(one.source.kind == "measured-here");
  CHECK(one.source.date == "2026-03-15");
  CHECK(one.source.n == 6);
  CHECK(one.source.software.find("rackproof 1.2.3") != std::string::npos);
  CHECK(one.source.note.find(
            "standard deviation 0.3 %; the tolerance is that of one healthy value in 1000") !=
        std::string::npos);
}

TEST_CASE("every value that taught would pass with its interval") {
  std::vector<double> values = kHealthy;
  values.push_back(97);
  const learn::Lesson learned = lesson(runs(values));
  REQUIRE(learned.table.baselines.size() == 1);
  const model::Baseline& one = learned.table.baselines[0];
  CHECK(97 * 0.995 >= one.expected * (1 - *one.tolerance_below));
  CHECK(*one.tolerance_below < 0.08);
}

TEST_CASE("where less is better the tolerance is above") {
  std::vector<model::Report> all = runs(kHealthy);
  for (model::Report& one : all) one.cells[0].measurements[0].better = contract::Better::kLess;
  const learn::Lesson learned = lesson(all);
  REQUIRE(learned.table.baselines.size() == 1);
  CHECK_FALSE(learned.table.baselines[0].tolerance_below);
  CHECK(learned.table.baselines[0].tolerance_above == Approx(0.02));
}

TEST_CASE("the order of the reports does not matter") {
  std::vector<model::Report> all = runs(kHealthy);
  const model::PlatformTable table = lesson(all).table;
  std::reverse(all.begin(), all.end());
  CHECK(lesson(all).table == table);
}

TEST_CASE("too few values and two groups of nodes are unfit, and named") {
  CHECK(lesson(runs({100, 101, 99})).unfit.at(0).why == "3 values; at least 5 are needed");
  std::vector<model::Report> all;
  for (int i = 0; i < 40; ++i) {
    const double noise = 0.1 * (i % 5);
    all.push_back(report(i, (i % 4 == 0 ? 92 : 100) + noise, i % 4 == 0 ? "slow7" : "node1"));
  }
  const learn::Lesson learned = lesson(all);
  CHECK(learned.table.baselines.empty());
  REQUIRE(learned.unfit.size() == 1);
  CHECK(learned.unfit[0].cells == "stream.triad type=double (cuda, 1 host)");
  CHECK(learned.unfit[0].why.find("two groups") != std::string::npos);
  CHECK(learned.unfit[0].why.ends_with("the smaller one is slow7"));
}

TEST_CASE("two groups of runs of one host are not said to be two groups of hosts") {
  std::vector<model::Report> all;
  for (int i = 0; i < 40; ++i) {
    all.push_back(report(i, (i % 4 == 0 ? 92 : 100) + 0.1 * (i % 5), "node1"));
  }
  const learn::Lesson learned = lesson(all);
  REQUIRE(learned.unfit.size() == 1);
  CHECK(learned.unfit[0].why.ends_with("; in both lie runs of node1"));
}

TEST_CASE("over a generic table the rules name what the hosts have in common") {
  std::vector<model::Report> all = runs(kHealthy);
  for (model::Report& one : all) one.platforms[0].generic = true;
  const auto rules = lesson(all).table.recognise;
  REQUIRE(rules.size() == 1);
  CHECK(rules[0].fact == "cpu.model");
  CHECK(rules[0].equals == contract::Scalar(std::string("EPYC")));
  all[1].nodes[0].facts["cpu.model"].value = std::string("Xeon");
  CHECK(refusal(all).find("nothing") == std::string::npos);
  CHECK(refusal(all).find("in common") != std::string::npos);
}

TEST_CASE("reports that do not go together are refused, naming them") {
  CHECK(refusal({}) == "there is no report to learn from");
  std::vector<model::Report> all = runs(kHealthy);
  all[2].acceptance = model::Acceptance::kRejected;
  all[2].acceptance_reason = "too slow";
  CHECK(refusal(all).find("run run2 is rejected") == 0);
  all = runs(kHealthy);
  all[3].run.id = "run1";
  CHECK(refusal(all).find("run run1 is there twice") == 0);
  all = runs(kHealthy);
  all[4].schema_version = "1.1";
  CHECK(refusal(all).find("expected one version") != std::string::npos);
  all = runs(kHealthy);
  all[5].platforms[0].id = all[5].platform_of_host["node1"] = "b200";
  CHECK(refusal(all).find("node1 of run run5 is a b200, others are h200") == 0);
  all = runs(kHealthy);
  all[0].findings.emplace_back();
  all[0].findings[0].id = "platform-contradicted";
  CHECK(refusal(all).find("hosts contradict") != std::string::npos);
}

TEST_CASE("a history has the values of each part in the order of the runs") {
  std::vector<model::Report> all = runs({100, 101, 102});
  std::reverse(all.begin(), all.end());
  const auto history = learn::learn_history(all);
  REQUIRE(history.size() == 1);
  CHECK(history[0].subject == "GPU-node1");
  CHECK(history[0].step == "stream");
  CHECK(history[0].unit == "B/s");
  CHECK(history[0].statistic == contract::Statistic::kMedian);
  CHECK(history[0].values == std::vector<double>{100, 101, 102});
  CHECK(learn::relevant_to(report(9, 1), history).size() == 1);
  CHECK(learn::relevant_to(report(9, 1, "node2"), history).empty());
}

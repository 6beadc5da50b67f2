#include "harness/config/table_text.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "harness/config/platform.hpp"
#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace contract = rackproof::contract;
namespace model = rackproof::model;

namespace {

model::Source source() {
  return {"Learned", "measured-here", "2026-03-01", "rackproof 1", "a note", 12, "", "3 hosts"};
}

model::Baseline absolute() {
  model::Baseline baseline;
  baseline.id = "triad";
  baseline.metric = "stream.triad";
  baseline.parameters = {{"type", std::string("double")}, {"bytes", std::int64_t{64}}};
  baseline.backend = "cuda";
  baseline.expected = 4.0625e12;
  baseline.unit = "B/s";
  baseline.tolerance_below = 0.031;
  baseline.statistic = contract::Statistic::kBest;
  baseline.nodes_min = baseline.nodes_max = 1;
  baseline.demand = {{"transports", std::string("P2P*")}};
  baseline.when = {{"algorithm", std::string("*TREE*")}};
  baseline.source = source();
  baseline.table = "site";
  return baseline;
}

model::Baseline time() {
  model::Baseline baseline = absolute();
  baseline.id = "time";
  baseline.metric = "all_reduce.time";
  baseline.unit = "s";
  baseline.expected = 3.1e-6;
  baseline.tolerance_below.reset();
  baseline.tolerance_above = 0.25;
  return baseline;
}

model::Baseline curve() {
  model::Baseline baseline = absolute();
  baseline.id = "curve";
  baseline.metric = "all_reduce.busbw";
  baseline.kind = model::BaselineKind::kCurve;
  baseline.expected = 0;
  baseline.nodes_min.reset();
  baseline.nodes_max.reset();
  baseline.points = {{8, 8, 1, 1e9}, {1024, 8, 1, 2e9}, {4096, 16, 2, 3.5e9}};
  baseline.smaller_by_correctness = true;
  return baseline;
}

model::PlatformTable table() {
  model::PlatformTable table;
  table.id = "site";
  table.title = "A site";
  model::FactRule rule;
  rule.fact = "cpu.model";
  rule.equals = std::string("EPYC");
  table.recognise = {rule};
  model::Baseline fraction = absolute();
  fraction.id = "fraction";
  fraction.metric = "gemm.rate";
  fraction.kind = model::BaselineKind::kFraction;
  fraction.expected = 0.7;
  fraction.unit = "ratio";
  fraction.of = "cpu.peak_flops_fp64";
  model::Baseline correct;
  correct.id = "correct";
  correct.metric = "burn.*";
  correct.kind = model::BaselineKind::kCorrectness;
  correct.table = "site";
  table.baselines = {absolute(), time(), curve(), fraction, correct};
  table.waivers = {{"pairs.*", {}, "no fabric"}};
  table.groups = {{"stream.*", {}, "two lots of memory"}};
  return table;
}

}  // namespace

TEST_CASE("a table that was written reads back as it was") {
  const TemporaryFolder folder;
  const model::PlatformTable again =
      load_platform(folder.file("site.json", table_text(table(), "")), "");
  CHECK(again.id == "site");
  CHECK(again.title == "A site");
  CHECK(again.recognise == table().recognise);
  REQUIRE(again.baselines.size() == table().baselines.size());
  for (std::size_t i = 0; i < again.baselines.size(); ++i) {
    INFO(again.baselines[i].id);
    CHECK(again.baselines[i] == table().baselines[i]);
  }
  CHECK(again.waivers == table().waivers);
  CHECK(again.groups == table().groups);
}

TEST_CASE("what it extends is in the file, and the bytes are always the same") {
  const std::string text = table_text(table(), "hgx-h200");
  CHECK(text.find("\"extends\": \"hgx-h200\"") != std::string::npos);
  CHECK(text == table_text(table(), "hgx-h200"));
  CHECK(text.back() == '\n');
}

TEST_CASE("facts and expectations are not dropped in silence") {
  model::PlatformTable one = table();
  one.facts["a"] = 1.0;
  CHECK_THROWS_AS(table_text(one, ""), std::invalid_argument);
  one = table();
  one.expect.emplace_back();
  CHECK_THROWS_AS(table_text(one, ""), std::invalid_argument);
}

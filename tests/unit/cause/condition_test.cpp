#include "harness/cause/condition.hpp"

#include <catch2/catch.hpp>

#include "harness/cause/explain.hpp"
#include "tests/unit/cause/scene.hpp"

namespace rackproof::cause {
namespace {

struct Place {
  model::Attempt attempt;
  Facts facts;
  std::vector<const model::Finding*> findings;

  std::optional<Evidence> holds(const model::CauseCondition& condition,
                                const std::string& device = "") const {
    return find_evidence(condition, {&attempt, device, &facts, &findings});
  }
};

model::CauseCondition series(const std::string& name, const std::string& statistic) {
  model::CauseCondition condition;
  condition.series = name;
  condition.statistic = statistic;
  return condition;
}

}  // namespace

TEST_CASE("a statistic is held against a limit strictly") {
  Place place;
  place.attempt.recorded = {gauge("load.running", "", "1", 1, 8, 20),
                            counter("nic.drops", "eth0", 0)};
  auto condition = series("load.running", "median");
  condition.above = 8;
  CHECK_FALSE(place.holds(condition));
  condition.above = 7.5;
  const auto evidence = place.holds(condition);
  REQUIRE(evidence);
  CHECK(evidence->value == "8");
  CHECK(evidence->limit == "7.5");
  CHECK(evidence->strength == 0.5);
  condition.above.reset();
  CHECK_FALSE(place.holds(condition));  // no limit is none that is passed
  condition.below = 8;
  CHECK_FALSE(place.holds(condition));
  condition.below = 9;
  CHECK(place.holds(condition));
  auto none = series("load.running", "delta");
  none.above = 0;
  CHECK_FALSE(place.holds(none));
  auto unmoved = series("nic.drops", "delta");
  unmoved.above = 0;
  CHECK_FALSE(place.holds(unmoved));
}

TEST_CASE("a limit may be a share of a fact of the same subject") {
  Place place;
  place.attempt.recorded = {gauge("gpu.sm_clock", "G0", "Hz", 1e9, 1.2e9, 1.5e9)};
  auto condition = series("gpu.sm_clock", "median");
  condition.below = 0.7;
  condition.of = "gpu.sm_clock_hertz";
  CHECK_FALSE(place.holds(condition, "G0"));  // the fact is not known
  place.facts["gpu.sm_clock_hertz"] = known(std::int64_t{1'980'000'000});
  const auto evidence = place.holds(condition, "G0");
  REQUIRE(evidence);
  CHECK(evidence->value == "1.2 GHz");
  CHECK(evidence->limit == "1.386 GHz");
  CHECK_FALSE(place.holds(condition, "G1"));
  CHECK_FALSE(place.holds(condition));  // a GPU is no part of the node's own series
  place.facts["gpu.sm_clock_hertz"] = {std::nullopt, "NVML", "not supported"};
  CHECK_FALSE(place.holds(condition, "G0"));
}

TEST_CASE("a share of time is zero for a reason that never was and unknown without samples") {
  Place place;
  place.attempt.recorded = {throttle("G0", "power-cap", 0.93)};
  auto condition = series("gpu.throttle", "share");
  condition.bit = "power-cap";
  condition.above = 0.05;
  REQUIRE(place.holds(condition, "G0"));
  CHECK(place.holds(condition, "G0")->value == "93 %");
  condition.bit = "power-brake";
  CHECK_FALSE(place.holds(condition, "G0"));
  condition.above.reset();
  condition.below = 0.01;
  CHECK(place.holds(condition, "G0"));
  place.attempt.recorded[0].samples = 0;
  CHECK_FALSE(place.holds(condition, "G0"));
}

TEST_CASE("of several series the one farthest beyond the limit is told") {
  Place place;
  place.attempt.recorded = {counter("nic.receive_errors", "eth0", 2),
                            counter("nic.send_errors", "eth1", 9),
                            counter("nic.send_errors", "eth2", 3)};
  auto condition = series("nic.*_errors", "delta");
  condition.above = 0;
  const auto evidence = place.holds(condition);
  REQUIRE(evidence);
  CHECK(evidence->subject == "eth1");
  CHECK(evidence->value == "9");
}

TEST_CASE("why values are missing is evidence of its own") {
  Place place;
  model::SeriesSummary lost;
  lost.name = "gpu.power";
  lost.subject = "G0";
  lost.missing = "the GPU is lost";
  place.attempt.recorded = {lost};
  auto condition = series("gpu.*", "missing");
  condition.is = "*GPU is lost*";
  REQUIRE(place.holds(condition, "G0"));
  CHECK(place.holds(condition, "G0")->value == "the GPU is lost");
  condition.is = "no answer*";
  CHECK_FALSE(place.holds(condition, "G0"));
}

TEST_CASE("a fact is compared with a fact and one star stands for the same in both") {
  Place place;
  place.facts["infiniband.mlx5_0.pcie_width"] = known(std::int64_t{8});
  place.facts["infiniband.mlx5_0.pcie_width_max"] = known(std::int64_t{16});
  place.facts["infiniband.mlx5_1.pcie_width"] = known(std::int64_t{16});
  place.facts["infiniband.mlx5_1.pcie_width_max"] = known(std::int64_t{16});
  model::CauseCondition condition;
  condition.fact = "infiniband.*.pcie_width";
  condition.below = 1;
  condition.of = "infiniband.*.pcie_width_max";
  const auto evidence = place.holds(condition);
  REQUIRE(evidence);
  CHECK(evidence->subject == "mlx5_0");
  CHECK(evidence->value == "8");
  CHECK(evidence->limit == "16");
  place.facts["infiniband.mlx5_0.pcie_width"] = known(std::int64_t{16});
  CHECK_FALSE(place.holds(condition));
}

TEST_CASE("a fact that is a text is held against patterns, and an unknown one proves nothing") {
  Place place;
  model::CauseCondition condition;
  condition.fact = "cpu.governor";
  condition.is_not = "performance*";
  CHECK_FALSE(place.holds(condition));
  place.facts["cpu.governor"] = {std::nullopt, "/sys", "not there"};
  CHECK_FALSE(place.holds(condition));
  place.facts["cpu.governor"] = known(std::string("performance"));
  CHECK_FALSE(place.holds(condition));
  place.facts["cpu.governor"] = known(std::string("powersave"));
  REQUIRE(place.holds(condition));
  CHECK(place.holds(condition)->value == "powersave");
  condition.is_not.clear();
  condition.is = "power*";
  CHECK(place.holds(condition));
  condition.below = 3;
  CHECK_FALSE(place.holds(condition));  // a text is not below anything
}

TEST_CASE("a finding is evidence by its id and the fact that it is about") {
  model::Finding finding;
  finding.id = "config-mismatch";
  finding.text = "gpu.vbios is A, and B on 7 of 8 devices";
  finding.evidence["fact"] = std::string("gpu.vbios");
  Place place;
  place.findings = {&finding};
  model::CauseCondition condition;
  condition.finding = "config-*";
  REQUIRE(place.holds(condition));
  CHECK(place.holds(condition)->finding == finding.text);
  condition.about = "cpu.*";
  CHECK_FALSE(place.holds(condition));
  condition.about = "gpu.*";
  CHECK(place.holds(condition));
  condition.finding = "rank-lost";
  CHECK_FALSE(place.holds(condition));
}

TEST_CASE("a condition about nothing never holds") {
  CHECK_FALSE(Place{}.holds({}));
  CHECK_FALSE(find_evidence(series("a", "median"), {}));
  model::CauseCondition fact;
  fact.fact = "a";
  CHECK_FALSE(find_evidence(fact, {}));
  fact.fact = "a*";
  CHECK_FALSE(find_evidence(fact, {}));
}

TEST_CASE("an event explains the attempt in whose time it fell, on its device") {
  Stage stage;
  stage.report.cause_table.rules = {
      rule("gpu", "device", {.event = "xid"}, "told: {value}"),
      rule("net", "node", {.event = "link", .is = "*down*"}, "{subject}: {value}")};
  for (model::Attempt& attempt : stage.report.attempts) {
    attempt.nonce = attempt.step + "/" + attempt.host + "/" + model::device_of(attempt);
  }
  const auto add = [&](const char* kind, const char* device, model::Severity severity,
                       const char* text, const char* attempt) {
    model::Event& event = stage.report.events.emplace_back();
    event.host = "n1";
    event.kind = kind;
    event.device = device;
    event.severity = severity;
    event.text = text;
    event.attempts = {attempt};
  };
  add("xid", "n1-0", model::Severity::kWarning, "Xid 13", "gemm/n1/n1-0");
  add("xid", "n1-0", model::Severity::kError, "Xid 48", "gemm/n1/n1-0");
  add("link", "eth0", model::Severity::kInfo, "eth0 is up", "stream/n1/");
  add("link", "eth1", model::Severity::kWarning, "eth1 is down", "stream/n1/");
  explain(stage.report);
  const auto& gpu = stage.cell_of("gemm", "n1/n1-0").causes;
  REQUIRE(gpu.size() == 1);
  CHECK(gpu[0].text == "told: Xid 48");
  CHECK(gpu[0].subject == "n1/n1-0");
  CHECK(stage.cell_of("gemm", "n1/n1-1").causes.at(0).rule != "gpu");
  const auto& node = stage.cell_of("stream", "n1").causes;
  REQUIRE(node.size() == 1);
  CHECK(node[0].text == "eth1: eth1 is down");
  CHECK(node[0].subject == "n1 eth1");
  CHECK(stage.cell_of("stream", "n2").causes.at(0).rule != "net");
}

}  // namespace rackproof::cause

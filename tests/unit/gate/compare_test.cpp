#include "harness/gate/compare.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/gate/nodes.hpp"

namespace rackproof::gate {
namespace {

config::ComparisonRule node_rule(const char* fact, model::Severity severity, double tolerance = 0) {
  config::ComparisonRule rule;
  rule.fact = fact;
  rule.severity = severity;
  rule.tolerance = tolerance;
  rule.remedy = "Mend it.";
  return rule;
}

}  // namespace

TEST_CASE("a fact within the tolerance of its rule agrees") {
  const config::ComparisonRules rules = {
      node_rule("memory.total_bytes", model::Severity::kIsolate, 0.01)};
  Look now = sound_look();
  set(now, "memory.total_bytes", std::int64_t{1'990'000'000'000});
  CHECK(differences(sound_look().node, now.node, rules, Against::kBefore).empty());
  set(now, "memory.total_bytes", std::int64_t{1'970'000'000'000});
  const auto found = differences(sound_look().node, now.node, rules, Against::kBefore);
  REQUIRE(found.size() == 1);
  CHECK(found[0].fact == "memory.total_bytes");
  CHECK(
      found[0].text ==
      "memory.total_bytes is 1970000000000, at the last good look it was 2000000000000; Mend it.");
}

TEST_CASE("a fact that cannot be read any more is told and not bad, one that came is nothing") {
  const config::ComparisonRules rules = {node_rule("infiniband.*", model::Severity::kIsolate)};
  Look now = sound_look();
  unread(now, "infiniband.count");
  set(now, "infiniband.mlx5_9.port1.state", text("DOWN"));
  const auto found = differences(sound_look().node, now.node, rules, Against::kBefore);
  REQUIRE(found.size() == 1);
  CHECK(found[0].reason == GateReason::kNotReadable);
}

TEST_CASE("a device is held against itself, or against any of its name in a golden inventory") {
  config::ComparisonRule rule = node_rule("gpu.vbios", model::Severity::kIsolate);
  rule.of = config::ComparisonRule::Of::kDevice;
  Look then = sound_look();
  set(then, 1, "gpu.vbios", text("older"));
  Look now = sound_look();
  set(now, 0, "gpu.vbios", text("older"));
  CHECK(differences(then.node, now.node, {rule}, Against::kBefore).size() == 2);
  CHECK(differences(then.node, now.node, {rule}, Against::kGolden).empty());
  set(now, 0, "gpu.vbios", text("other"));
  CHECK(differences(then.node, now.node, {rule}, Against::kGolden).at(0).part == "GPU-0");
}

TEST_CASE("a GPU in the place of another is held against that one") {
  config::ComparisonRule rule = node_rule("gpu.memory_bytes", model::Severity::kIsolate);
  rule.of = config::ComparisonRule::Of::kDevice;
  Look now = sound_look();
  now.node.devices[0].uuid = "GPU-new";
  set(now, 0, "gpu.memory_bytes", std::int64_t{80'000'000'000});
  CHECK(differences(sound_look().node, now.node, {rule}, Against::kBefore).at(0).part == "GPU-new");
}

TEST_CASE("rules that hosts must differ by are none for one host") {
  config::ComparisonRule rule = node_rule("host.machine_id_hash", model::Severity::kIsolate);
  rule.must = config::ComparisonRule::Must::kDiffer;
  Look now = sound_look();
  set(now, "host.machine_id_hash", text("other"));
  CHECK(differences(sound_look().node, now.node, {rule}, Against::kGolden).empty());
}

TEST_CASE("GPUs on new addresses are not gone, and a smaller number is a loss") {
  Look now = sound_look();
  set(now, 0, "gpu.pci_address", text("0000:aa:00.0"));
  CHECK(lost_gpus(sound_look().node, now.node).empty());
  now.node.devices.erase(now.node.devices.begin() + 4);
  const auto found = lost_gpus(sound_look().node, now.node);
  REQUIRE(found.size() == 1);
  CHECK(found[0].reason == GateReason::kGpuMissing);
  CHECK(found[0].part == "GPU-4");
  CHECK(fewer_gpus(sound_look().node, now.node).size() == 1);
  CHECK(fewer_gpus(now.node, sound_look().node).empty());
}

}  // namespace rackproof::gate

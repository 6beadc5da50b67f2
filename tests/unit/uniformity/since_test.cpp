#include "harness/uniformity/since.hpp"

#include <catch2/catch.hpp>

namespace rackproof::uniformity {
namespace {

using config::ComparisonRule;
using model::NodeInventory;

model::Fact told(contract::Scalar value) { return {std::move(value), "test", ""}; }

std::vector<NodeInventory> two_hosts() {
  std::vector<NodeInventory> nodes(2);
  for (int i = 0; i < 2; ++i) {
    NodeInventory& node = nodes[static_cast<std::size_t>(i)];
    node.host = "n" + std::to_string(i);
    node.facts["gpu.driver_version"] = told(std::string("580"));
    node.facts["memory.total_bytes"] = told(std::int64_t{1'000'000});
    node.facts["memory.free_bytes"] = told(std::int64_t{5});
    for (std::int64_t index = 0; index < 2; ++index) {
      model::DeviceFacts device{"GPU-" + node.host + std::to_string(index), index, {}};
      device.facts["gpu.vbios"] = told(std::string("97.00"));
      device.facts["gpu.serial"] = told("S" + device.uuid);
      node.devices.push_back(std::move(device));
    }
  }
  return nodes;
}

config::ComparisonRules some_rules() {
  ComparisonRule driver;
  driver.fact = "gpu.driver_version";
  ComparisonRule memory;
  memory.fact = "memory.total_bytes";
  memory.tolerance = 0.01;
  ComparisonRule vbios;
  vbios.fact = "gpu.vbios";
  vbios.of = ComparisonRule::Of::kDevice;
  ComparisonRule serial;
  serial.fact = "gpu.serial";
  serial.of = ComparisonRule::Of::kDevice;
  serial.must = ComparisonRule::Must::kDiffer;
  return {driver, memory, vbios, serial};
}

std::string changes(const std::vector<NodeInventory>& now, const model::Repair& repair) {
  return to_text(changes_since(two_hosts(), now, some_rules(), {repair}));
}

const model::Repair kHost{"n0", "", "r", "t"};
const model::Repair kGpu{"n0", "GPU-n01", "r", "t"};

}  // namespace

TEST_CASE(
    "an inventory that is what it was has not changed, whatever is free or within tolerance") {
  auto now = two_hosts();
  now[1].facts["memory.free_bytes"] = told(std::int64_t{9});
  now[1].facts["memory.total_bytes"] = told(std::int64_t{1'000'001});
  CHECK(changes(now, kHost).empty());
  CHECK(changes(now, kGpu).empty());
}

TEST_CASE("a repaired host may be any other, and no other host may") {
  auto now = two_hosts();
  now[0].facts["gpu.driver_version"] = told(std::string("581"));
  now[0].devices.pop_back();
  CHECK(changes(now, kHost).empty());
  now[1].facts["gpu.driver_version"] = told(std::string("581"));
  CHECK(changes(now, kHost) == "n1: gpu.driver_version was 580, is 581");
}

TEST_CASE("a repaired GPU may be another one, and nothing else of its host may change") {
  auto now = two_hosts();
  now[0].devices[1].uuid = "GPU-new";
  now[0].devices[1].facts["gpu.serial"] = told(std::string("other"));
  CHECK(changes(now, kGpu).empty());
  CHECK(changes(now, {"n0", "GPU-n00", "r", "t"}) ==
        "n0/GPU-n01: gpu.uuid was GPU-n01, is not there\n"
        "  n0/GPU-new: gpu.uuid was not there, is GPU-new");
  now[0].devices[0].facts["gpu.vbios"] = told(std::string("98.00"));
  CHECK(changes(now, kGpu) == "n0/GPU-n00: gpu.vbios was 97.00, is 98.00");
  now = two_hosts();
  now[0].devices.pop_back();
  CHECK(changes(now, kGpu) == "n0/GPU-n01: gpu.uuid was GPU-n01, is not there");
}

TEST_CASE("hosts, GPUs and facts that came or went are changes") {
  auto now = two_hosts();
  now[1].devices[0].uuid = "GPU-x";
  now[1].devices[1].facts.erase("gpu.serial");
  now.emplace_back().host = "n2";
  const auto all = changes_since(two_hosts(), now, some_rules(), {kHost});
  REQUIRE(all.size() == 4);
  CHECK(all[0].part == "GPU-n11");
  CHECK(all[0].fact == "gpu.serial");
  CHECK(all[0].is.empty());
  CHECK(all[3] == Change{"n2", "", "host.name", "", "n2"});
  now.erase(now.begin() + 1);
  CHECK(changes(now, kHost).find("n1: host.name was n1, is not there") == 0);
}

}  // namespace rackproof::uniformity

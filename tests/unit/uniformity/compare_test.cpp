#include "harness/uniformity/compare.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <ctime>

namespace rackproof::uniformity {
namespace {

using config::ComparisonRule;
using config::ComparisonRules;
using contract::Scalar;
using model::NodeInventory;
using Of = ComparisonRule::Of;
using Must = ComparisonRule::Must;

const std::string kShipped = std::string(RACKPROOF_SOURCE_DIR) + "/configs/comparison.json";

model::Fact fact(Scalar value) { return {std::move(value), "test", ""}; }

Scalar text(const char* words) { return std::string(words); }

/// Hosts of four GPUs each, all alike: n00, n01, ...
std::vector<NodeInventory> rack(int hosts) {
  std::vector<NodeInventory> nodes;
  for (int i = 0; i < hosts; ++i) {
    NodeInventory node;
    node.host = (i < 10 ? "n0" : "n") + std::to_string(i);
    node.facts["gpu.driver_version"] = fact(text("580.65.06"));
    node.facts["limit.memlock_bytes"] = fact(text("unlimited"));
    node.facts["cpu.governor"] = fact(text("performance"));
    node.facts["memory.total_bytes"] = fact(std::int64_t{1'000'000'000'000 + i});
    node.facts["nic.eth0.mtu_bytes"] = fact(std::int64_t{9000});
    node.facts["host.machine_id_hash"] = fact(Scalar{"id" + std::to_string(i)});
    for (std::int64_t index = 0; index < 4; ++index) {
      model::DeviceFacts device{"GPU-" + node.host + "-" + std::to_string(index), index, {}};
      device.facts["gpu.name"] = fact(text("NVIDIA GB200"));
      device.facts["gpu.vbios"] = fact(text("97.00.82.00.01"));
      device.facts["gpu.ecc"] = fact(Scalar{true});
      device.facts["gpu.pcie_width_now"] = fact(std::int64_t{16});
      node.devices.push_back(std::move(device));
    }
    nodes.push_back(std::move(node));
  }
  return nodes;
}

ComparisonRule rule(const char* name, Of of, Must must = Must::kAgree) {
  ComparisonRule out;
  out.fact = name;
  out.of = of;
  out.must = must;
  out.remedy = "Mend it.";
  return out;
}

std::vector<model::Finding> of_shipped(const std::vector<NodeInventory>& nodes) {
  return compare(nodes, {}, config::load_comparison(kShipped));
}

}  // namespace

TEST_CASE("a rack that is alike gives no finding") { CHECK(of_shipped(rack(18)).empty()); }

TEST_CASE("one odd host is named first with its value and that of the majority") {
  struct Case {
    const char* name;
    Scalar value;
    model::Severity severity;
  };
  const auto odd = GENERATE(
      Case{"gpu.driver_version", std::string("570.00"), model::Severity::kWarning},
      Case{"limit.memlock_bytes", std::int64_t{65536}, model::Severity::kWarning},
      Case{"cpu.governor", std::string("powersave"), model::Severity::kWarning},
      Case{"memory.total_bytes", std::int64_t{900'000'000'000}, model::Severity::kIsolate});
  auto nodes = rack(18);
  nodes[7].facts[odd.name].value = odd.value;
  const auto findings = of_shipped(nodes);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].id == "config-mismatch");
  CHECK(findings[0].subject == "n07");
  CHECK(findings[0].severity == odd.severity);
  CHECK(findings[0].text.starts_with(std::string(odd.name) + " is " + model::to_text(odd.value) +
                                     ", and "));
  CHECK(findings[0].text.find("on 17 of 18 hosts; ") != std::string::npos);
  CHECK(findings[0].evidence.at("fact") == Scalar{std::string(odd.name)});
}

TEST_CASE("a fact of one device names the device and of all devices of a host the host") {
  auto nodes = rack(18);
  nodes[3].devices[2].facts["gpu.pcie_width_now"].value = std::int64_t{8};
  auto findings = of_shipped(nodes);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].subject == "n03/GPU-n03-2");
  CHECK(findings[0].severity == model::Severity::kIsolate);
  CHECK(findings[0].text.starts_with("gpu.pcie_width_now is 8, and 16 on 71 of 72 devices; "));
  for (auto& device : nodes[3].devices) device.facts["gpu.ecc"].value = false;
  findings = of_shipped(nodes);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].subject == "n03");
  CHECK(findings[0].text.starts_with("gpu.ecc is false on 4 devices, and true on 68 of 72"));
}

TEST_CASE("devices of one node are compared with each other") {
  auto nodes = rack(1);
  nodes[0].devices[1].facts["gpu.vbios"].value = text("97.00.00.00.00");
  const auto findings = of_shipped(nodes);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].subject == "n00/GPU-n00-1");
}

TEST_CASE("without a majority every value is told and nobody is called odd") {
  auto nodes = rack(2);
  nodes[1].facts["cpu.governor"].value = text("powersave");
  const auto findings = of_shipped(nodes);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].subject == "n00, n01");
  CHECK(
      findings[0].text.starts_with("cpu.governor is not the same, and no value has a majority: "
                                   "performance on n00; powersave on n01; "));
  CHECK_FALSE(findings[0].evidence.contains("majority"));
}

TEST_CASE("a fact that one host cannot read is at most a warning and says why") {
  auto nodes = rack(5);
  for (auto& device : nodes[2].devices) {
    device.facts["gpu.ecc"] = {std::nullopt, "NVML", "no permission"};
  }
  nodes[4].facts.erase("cpu.governor");
  const auto findings = of_shipped(nodes);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].subject == "n02");
  CHECK(findings[0].severity == model::Severity::kWarning);
  CHECK(findings[0].text.starts_with("gpu.ecc is not readable (no permission) on 4 devices, "));
  CHECK(findings[1].text.starts_with("cpu.governor is not there, and performance on 4 of 5"));
}

TEST_CASE("a host without any fact and a name that a pattern finds elsewhere are left out") {
  auto nodes = rack(4);
  nodes[1] = {};
  nodes[1].host = "n01";
  nodes[2].facts["nic.eth9.mtu_bytes"] = fact(std::int64_t{1500});
  CHECK(of_shipped(nodes).empty());
  nodes[3].facts["nic.eth0.mtu_bytes"].value = std::int64_t{1500};
  REQUIRE(of_shipped(nodes).size() == 1);
  CHECK(of_shipped(nodes)[0].subject == "n03");
}

TEST_CASE("hosts of different platforms are not alike unless the rule says all") {
  auto nodes = rack(6);
  nodes[4].facts["cpu.governor"].value = text("powersave");
  nodes[5].facts["cpu.governor"].value = text("powersave");
  const std::map<std::string, std::string> platforms = {{"n04", "other"}, {"n05", "other"}};
  ComparisonRule alike = rule("cpu.governor", Of::kNode);
  CHECK(compare(nodes, platforms, {alike}).empty());
  alike.among = ComparisonRule::Among::kAll;
  REQUIRE(compare(nodes, platforms, {alike}).size() == 1);
  CHECK(compare(nodes, platforms, {alike})[0].subject == "n04, n05");
}

TEST_CASE("what no two hosts may share is told once for the same hosts") {
  auto nodes = rack(4);
  for (const int i : {1, 3}) {
    nodes[static_cast<std::size_t>(i)].facts["nic.a.address"] = fact(text("02:00:00:00:00:01"));
    nodes[static_cast<std::size_t>(i)].facts["nic.b.address"] = fact(text("02:00:00:00:00:02"));
  }
  nodes[2].devices[0].uuid = nodes[0].devices[0].uuid;
  const auto findings = compare(nodes, {},
                                {rule("nic.*.address", Of::kNode, Must::kDiffer),
                                 rule("gpu.uuid", Of::kDevice, Must::kDiffer)});
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].id == "identity-shared");
  CHECK(findings[0].subject == "n01, n03");
  CHECK(findings[0].text ==
        "nic.a.address is 02:00:00:00:00:01 on 2 hosts, and so are 1 more; Mend it.");
  CHECK(findings[1].subject == "n00, n02");
  CHECK(findings[1].text == "gpu.uuid is GPU-n00-0 on 2 hosts; Mend it.");
}

TEST_CASE("the order of the nodes does not matter") {
  auto nodes = rack(9);
  nodes[2].facts["cpu.governor"].value = text("ondemand");
  nodes[6].facts["limit.memlock_bytes"].value = std::int64_t{1};
  const auto before = of_shipped(nodes);
  std::reverse(nodes.begin(), nodes.end());
  CHECK(before.size() == 2);
  CHECK(of_shipped(nodes) == before);
}

TEST_CASE("a rack of 72 hosts is compared in a fraction of five seconds") {
  auto nodes = rack(72);
  nodes[71].facts["cpu.governor"].value = text("powersave");
  const std::clock_t began = std::clock();  // of this process alone
  CHECK(of_shipped(nodes).size() == 1);
  CHECK(std::clock() - began < 5 * CLOCKS_PER_SEC);
}

}  // namespace rackproof::uniformity

#include "reports/model/inventory.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("a fact is read as what it is") {
  NodeInventory node;
  node.facts["cpu.cores"] = {std::int64_t{64}, "hwloc", ""};
  node.facts["cpu.clock_hz"] = {2.5e9, "/sys", ""};
  node.facts["cpu.model"] = {std::string("Example 9000"), "/proc/cpuinfo", ""};
  node.facts["smt.on"] = {true, "/sys", ""};
  node.facts["cpu.governor"] = {std::nullopt, "/sys", "no cpufreq driver"};

  CHECK(number_of(node, "cpu.cores") == 64.0);
  CHECK(number_of(node, "cpu.clock_hz") == 2.5e9);
  CHECK_FALSE(number_of(node, "cpu.model"));
  CHECK_FALSE(number_of(node, "smt.on"));
  CHECK(text_of(node, "cpu.model") == "Example 9000");
  CHECK_FALSE(text_of(node, "cpu.cores"));
  CHECK(value_of(node, "smt.on") == contract::Scalar{true});
}

TEST_CASE("a GPU that is listed twice is one") {
  NodeInventory node;
  CHECK(gpus_of(node) == 0);
  for (const char* uuid : {"GPU-1", "GPU-2", "GPU-1", "", ""})
    node.devices.push_back({uuid, 0, {}});
  CHECK(gpus_of(node) == 4);
}

TEST_CASE("an unreadable or absent fact has no value") {
  NodeInventory node;
  node.facts["cpu.governor"] = {std::nullopt, "/sys", "no cpufreq driver"};
  for (const char* name : {"cpu.governor", "no.such.fact"}) {
    CHECK_FALSE(value_of(node, name));
    CHECK_FALSE(number_of(node, name));
    CHECK_FALSE(text_of(node, name));
  }
}

}  // namespace rackproof::model

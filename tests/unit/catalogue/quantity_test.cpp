#include "reports/catalogue/quantity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "contract/unit.hpp"
#include "reports/model/column_name.hpp"
#include "reports/model/fact_name.hpp"

using namespace rackproof;
using catalogue::find_column;
using catalogue::find_fact;

TEST_CASE("a fact and a column are found by their names") {
  REQUIRE(find_fact(model::fact_name::kGpuPcieWidth) != nullptr);
  CHECK(find_fact(model::fact_name::kGpuPcieWidth)->unit == "count");
  REQUIRE(find_column(model::column_name::kGpuPower) != nullptr);
  CHECK(find_column(model::column_name::kGpuPower)->unit == "W");
  CHECK(find_fact(model::column_name::kGpuPower) == nullptr);
  CHECK(find_column(model::fact_name::kGpuPcieWidth) == nullptr);
  CHECK(find_fact("gpu.nvml_cout") == nullptr);
  CHECK(find_fact("") == nullptr);
}

TEST_CASE("the name of a part stands in the place of a star") {
  REQUIRE(find_fact("nic.eth0.mtu_bytes") != nullptr);
  CHECK(find_fact("nic.eth0.mtu_bytes")->name == "nic.*.mtu_bytes");
  REQUIRE(find_fact("nic.enp1s0f0.100.mtu_bytes") != nullptr);  // a VLAN has a dot in its name
  REQUIRE(find_fact("infiniband.mlx5_0.port1.rate_bits_per_second") != nullptr);
  CHECK(find_fact("infiniband.mlx5_0.port1.rate_bits_per_second")->unit == "bit/s");
  CHECK(find_fact("nic.eth0.mtu") == nullptr);
  // By its own name, not by what "environment.*" stands for.
  REQUIRE(find_fact("environment.dropped") != nullptr);
  CHECK(find_fact("environment.dropped")->name == "environment.dropped");
}

TEST_CASE("each fact and each column is described once, and is of a unit that there is") {
  for (const auto all : {catalogue::facts(), catalogue::columns()}) {
    CHECK(all.size() > 60);
    std::set<std::string_view> names;
    for (const catalogue::Quantity& one : all) {
      INFO(one.name);
      CHECK(names.insert(one.name).second);
      CHECK_FALSE(one.meaning.empty());
      const auto known = [&one](const contract::BaseUnit& unit) { return unit.name == one.unit; };
      const bool base =
          std::any_of(contract::kBaseUnits.begin(), contract::kBaseUnits.end(), known);
      CHECK((base || one.unit.empty() || one.unit == "1" || one.unit == "bit/s"));
    }
  }
}

TEST_CASE("a number whose name ends in a unit is in that unit") {
  for (const catalogue::Quantity& fact : catalogue::facts()) {
    if (fact.unit.empty()) continue;
    INFO(fact.name);
    for (const contract::BaseUnit& unit : contract::kBaseUnits) {
      const std::string end = "_" + std::string(unit.words);
      if (unit.words.empty() || !fact.name.ends_with(end)) continue;
      CHECK(fact.unit == unit.name);
    }
  }
}

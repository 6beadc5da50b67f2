#include "reports/catalogue/fact_units.hpp"

#include <catch2/catch.hpp>
#include <string>

#include "contract/unit.hpp"

namespace rackproof::model {

TEST_CASE("facts have units by their names") {
  CHECK(catalogue::unit_of_fact("peak.gpu.memory_bytes_per_second") == "B/s");
  CHECK(catalogue::unit_of_fact("gpu.memory_bytes") == "B");
  CHECK(catalogue::unit_of_fact("gpu.tdp_watts") == "W");
  CHECK(catalogue::unit_of_fact("cpu.max_clock_hertz") == "Hz");
  CHECK(catalogue::unit_of_fact("peak.gpu.flops_fp64_tensor") == "FLOP/s");
  CHECK(catalogue::unit_of_fact("cpu.peak_flops_fp64") == "FLOP/s");
  CHECK(catalogue::unit_of_fact("peak.gpu.flops_int8") == "OP/s");
  CHECK(catalogue::unit_of_fact("cpu.usable_threads") == "count");
  CHECK(catalogue::unit_of_fact("memory.hugepages_2048kB.free") == "count");
  CHECK(catalogue::unit_of_fact("clock.offset_seconds") == "s");
  CHECK(catalogue::unit_of_fact("pcie.transfers_per_second").empty());
  CHECK(catalogue::unit_of_fact("gpu.pcie_transfers_per_second") == "Hz");
  CHECK(catalogue::unit_of_fact("site.figure").empty());
}

TEST_CASE("a name that ends in the words of a unit is of that unit") {
  for (const contract::BaseUnit& unit : contract::kBaseUnits) {
    if (unit.words.empty()) continue;
    INFO(unit.name);
    CHECK(catalogue::unit_of_fact("site.some_" + std::string(unit.words)) == unit.name);
  }
  CHECK(catalogue::unit_of_fact("site.milliseconds").empty());
}

}  // namespace rackproof::model

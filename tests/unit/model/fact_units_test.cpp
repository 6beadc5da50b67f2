#include "reports/model/fact_units.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("facts have units by their names") {
  CHECK(unit_of_fact("peak.gpu.memory_bytes_per_second") == "B/s");
  CHECK(unit_of_fact("gpu.memory_bytes") == "B");
  CHECK(unit_of_fact("gpu.tdp_watts") == "W");
  CHECK(unit_of_fact("cpu.max_clock_hertz") == "Hz");
  CHECK(unit_of_fact("peak.gpu.flops_fp64_tensor") == "FLOP/s");
  CHECK(unit_of_fact("cpu.peak_flops_fp64") == "FLOP/s");
  CHECK(unit_of_fact("peak.gpu.flops_int8") == "OP/s");
  CHECK(unit_of_fact("cpu.usable_threads") == "count");
  CHECK(unit_of_fact("memory.hugepages_2048kB.free") == "count");
  CHECK(unit_of_fact("clock.offset_seconds") == "s");
  CHECK(unit_of_fact("site.figure").empty());
}

}  // namespace rackproof::model

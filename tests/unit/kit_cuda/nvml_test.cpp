#include "benches/kit/cuda/nvml.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::kit::cuda;

TEST_CASE("throttle reasons are told by name, several at once") {
  CHECK(throttle_names(0).empty());
  CHECK(throttle_names(0x1).empty());
  CHECK(throttle_names(0x4) == std::vector<std::string>{"sw_power_cap"});
  CHECK(throttle_names(0x4 | 0x40) ==
        std::vector<std::string>{"sw_power_cap", "hw_thermal_slowdown"});
  CHECK(throttle_names(std::uint64_t{1} << 40) == std::vector<std::string>{"bit40"});
}

#include "benches/kit/cuda/watch.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using namespace rackproof::kit::cuda;

namespace {

DeviceState state(double seconds, double clock, double energy, std::uint64_t reasons) {
  DeviceState one;
  one.seconds = seconds;
  one.sm_clock_hz = clock;
  one.energy_j = energy;
  one.power_w = 100;
  one.temperature_c = 40 + seconds;
  one.throttle_reasons = reasons;
  return one;
}

double number(const contract::Parameters& facts, const char* name) {
  return std::get<double>(facts.at(name));
}

}  // namespace

TEST_CASE("no state at all is unknown, not zero") {
  const auto facts = summarise({}, 700.0);
  CHECK(facts == contract::Parameters{{"clocks", "unknown"}});
}

TEST_CASE("clocks are told as lowest and highest and reasons as all that were set") {
  const auto facts = summarise({state(0, 1.9e9, 0, 0x4), state(1, 1.2e9, 1, 0x40)}, std::nullopt);
  CHECK(number(facts, "sm_clock_hz_min") == 1.2e9);
  CHECK(number(facts, "sm_clock_hz_max") == 1.9e9);
  CHECK(number(facts, "temperature_c_max") == 41);
  CHECK(std::get<std::string>(facts.at("throttle")) == "sw_power_cap,hw_thermal_slowdown");
  CHECK_FALSE(facts.contains("power_limit_w"));
  CHECK_FALSE(facts.contains("memory_clock_hz_min"));
}

TEST_CASE("mean power comes from the energy counter when the time is long enough") {
  const auto facts = summarise({state(0, 1e9, 1000, 0), state(10, 1e9, 7500, 0)}, 700.0);
  CHECK(number(facts, "power_w") == 650);
  CHECK(number(facts, "power_limit_w") == 700);
  const auto brief = summarise({state(0, 1e9, 1000, 0), state(0.5, 1e9, 1001, 0)}, 700.0);
  CHECK(number(brief, "power_w") == 100);
}

TEST_CASE("states whose energy was not read are between those whose was") {
  std::vector<DeviceState> states = {state(0, 1e9, 0, 0), state(1, 1e9, 1000, 0),
                                     state(2, 1e9, 0, 0), state(4, 1e9, 2800, 0),
                                     state(9, 1e9, 0, 0)};
  for (const std::size_t i : {0U, 2U, 4U}) states[i].energy_j.reset();
  CHECK(number(summarise(states, std::nullopt), "power_w") == 600);
  states[1].energy_j.reset();
  CHECK(number(summarise(states, std::nullopt), "power_w") == 100);
}

TEST_CASE("an idle device has neither the clocks of work nor its power, and its energy counts") {
  DeviceState before = state(0, 0.345e9, 1000, 0x1);
  before.idle = true;
  before.power_w = 75;
  const auto facts = summarise({before, state(1, 1.9e9, 1600, 0x4)}, std::nullopt);
  CHECK(number(facts, "sm_clock_hz_min") == 1.9e9);
  CHECK(number(facts, "power_w") == 100);
  CHECK(number(facts, "temperature_c_min") == 40);
  before.seconds = -9;
  const auto longer = summarise({before, state(1, 1.9e9, 7000, 0x4)}, std::nullopt);
  CHECK(number(longer, "power_w") == 600);
  CHECK_FALSE(summarise({before}, std::nullopt).contains("throttle"));
}

TEST_CASE("what a device does not tell is left out") {
  const auto facts = summarise({DeviceState{}}, std::nullopt);
  CHECK(facts == contract::Parameters{{"states", std::int64_t{1}}});
}

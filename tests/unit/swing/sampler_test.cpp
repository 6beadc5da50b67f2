#include "benches/swing/sampler.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/folder.hpp"

namespace rackproof::swing {
namespace {

constexpr const char* kEnergy = "sys/class/powercap/intel-rapl:0/energy_uj";

void counter(const test::Folder& root) {
  root.write("sys/class/powercap/intel-rapl:0/name", "package-0\n");
  root.write("sys/class/powercap/intel-rapl:0/max_energy_range_uj", "1000000000000\n");
  root.write(kEnergy, "1000000\n");
}

}  // namespace

TEST_CASE("a sampler has each value once, in order, and the last one") {
  const test::Folder root;
  counter(root);
  Rapl rapl(root.path());
  const OwnClock clock(wall_seconds(), 0);
  Sampler sampler(rapl, clock);
  // In place, so that no reader finds an empty file.
  for (const char* value : {"3000000\n", "6000000\n"}) {
    clock.sleep_until(clock.now() + 0.05);
    std::fstream(root.path(kEnergy), std::ios::in | std::ios::out) << value;
  }
  const auto readings = sampler.stop();
  REQUIRE_FALSE(readings.empty());
  CHECK(readings.back().joules == Approx(5));
  for (std::size_t i = 1; i < readings.size(); ++i) {
    CHECK(readings[i].at > readings[i - 1].at);
    CHECK(readings[i].joules > readings[i - 1].joules);
  }
}

TEST_CASE("what cannot be read all along gives nothing") {
  const test::Folder root;
  counter(root);
  Rapl rapl(root.path());
  const OwnClock clock(wall_seconds(), 0);
  Sampler sampler(rapl, clock);
  root.write(kEnergy, "broken\n");
  CHECK(sampler.stop().empty());
}

TEST_CASE("a counter that stands still has no idle power") {
  const test::Folder root;
  counter(root);
  Rapl rapl(root.path());
  CHECK_FALSE(idle_watts(rapl, OwnClock(wall_seconds(), 0), 0.01));
}

}  // namespace rackproof::swing

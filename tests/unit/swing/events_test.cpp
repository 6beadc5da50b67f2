#include "benches/swing/events.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/folder.hpp"

namespace rackproof::swing {
namespace {

constexpr std::size_t kPowerLimits = static_cast<std::size_t>(Event::kPowerLimit);
constexpr std::size_t kThrottles = static_cast<std::size_t>(Event::kThrottle);
constexpr std::size_t kLinks = static_cast<std::size_t>(Event::kLostLink);

void processor(const test::Folder& root, int cpu, int package, const std::string& core,
               const std::string& whole) {
  const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
  root.write(folder + "/thermal_throttle/core_throttle_count", core + "\n");
  root.write(folder + "/thermal_throttle/package_throttle_count", whole + "\n");
  root.write(folder + "/topology/physical_package_id", std::to_string(package) + "\n");
}

}  // namespace

TEST_CASE("a package counts once, whichever of its processors shows it") {
  const test::Folder root;
  processor(root, 0, 0, "1", "10");
  processor(root, 1, 0, "2", "11");
  processor(root, 2, 1, "0", "5");
  const EventCounts counts = read_events(root.path());
  CHECK(counts[kThrottles] == 1 + 2 + 11 + 5);
  CHECK_FALSE(counts[kPowerLimits]);
  root.write("sys/devices/system/cpu/cpu0/thermal_throttle/core_power_limit_count", "7\n");
  CHECK(read_events(root.path())[kPowerLimits] == 7);
}

TEST_CASE("links of adapters count, virtual ones do not") {
  const test::Folder root;
  CHECK_FALSE(read_events(root.path())[kLinks]);
  root.write("sys/class/net/veth0/carrier_down_count", "40\n");
  CHECK_FALSE(read_events(root.path())[kLinks]);
  root.write("sys/class/net/eth0/carrier_down_count", "2\n");
  root.write("sys/class/net/eth0/device/vendor", "0x15b3\n");
  root.write("sys/class/infiniband/mlx5_0/ports/1/counters/link_downed", "3\n");
  CHECK(read_events(root.path())[kLinks] == 5);
}

TEST_CASE("an event came where its count rose, and not where nothing counts it") {
  const EventCounts before{1.0, std::nullopt, 4.0};
  CHECK(came(before, {2.0, std::nullopt, 4.0}, Event::kPowerLimit));
  CHECK_FALSE(came(before, {1.0, std::nullopt, 4.0}, Event::kPowerLimit));
  CHECK_FALSE(came(before, {1.0, 9.0, 4.0}, Event::kThrottle));
  CHECK_FALSE(came(before, {1.0, std::nullopt, std::nullopt}, Event::kLostLink));
}

TEST_CASE("chance is Fisher's, by hand: C(m, k)/C(2m, k) where none is spread") {
  CHECK(chance({3, 3, 3, 0}) == Approx(1.0 / 20));
  CHECK(chance({4, 4, 4, 0}) == Approx(1.0 / 70));
  CHECK(chance({7, 3, 7, 0}) == Approx(35.0 / 364));
  // Fisher's tea: 3 of 4 and 1 of 4.
  CHECK(chance({4, 3, 4, 1}) == Approx(17.0 / 70));
  CHECK(chance({4, 0, 4, 0}) == Approx(1));
  CHECK(chance({2, 1, 5, 0}) == Approx(2.0 / 7));
}

TEST_CASE("only what comes in phase alone, and too often for chance, accuses the supply") {
  CHECK(accusation({3, 0, 3, 0}) == Accusation::kNone);
  CHECK(accusation({3, 3, 3, 0}) == Accusation::kSupply);
  CHECK(accusation({3, 2, 3, 0}) == Accusation::kTooFew);
  CHECK(accusation({1, 1, 1, 0}) == Accusation::kTooFew);
  CHECK(accusation({9, 9, 9, 1}) == Accusation::kNotByPhase);
  CHECK(accusation({9, 0, 9, 4}) == Accusation::kNotByPhase);
  CHECK(accusation({9, 4, 0, 0}) == Accusation::kUncompared);
}

TEST_CASE("the sentence names what, how often and where") {
  CHECK(sentence(Event::kThrottle, {3, 0, 3, 0}).empty());
  const std::string text = sentence(Event::kThrottle, {4, 4, 4, 0, {"b", "a"}});
  CHECK_THAT(text, Catch::StartsWith("thermal throttling in phase only: in 4 of 4 runs in phase"));
  CHECK_THAT(text, Catch::Contains("on a, b") && Catch::Contains("suspect the power supply"));
  for (const Arms& arms :
       {Arms{1, 1, 1, 0, {"a"}}, Arms{4, 4, 4, 1, {"a"}}, Arms{4, 4, 0, 0, {"a"}}}) {
    const std::string other = sentence(Event::kLostLink, arms);
    CHECK_THAT(other, Catch::StartsWith("lost links"));
    CHECK_THAT(other, !Catch::Contains("supply"));
  }
}

TEST_CASE("a run is counted in its arm once, however many ranks met the event") {
  const std::vector<std::string> names{"a/0", "b/0", "b/1"};
  const std::vector<std::string> hosts{"a", "b", "b"};
  std::array<Arms, kEvents.size()> arms{};
  Run run;
  std::vector<std::array<bool, kEvents.size()>> counted(3);
  counted[1][kThrottles] = counted[2][kThrottles] = counted[1][kLinks] = true;
  count_events(run, counted, names, hosts, arms);
  run.in_phase = false;
  count_events(run, std::vector<std::array<bool, kEvents.size()>>(3), names, hosts, arms);
  run.kind = Run::Kind::kStage;
  count_events(run, counted, names, hosts, arms);
  const Arms& throttled = arms[kThrottles];
  CHECK(throttled.in_phase_runs == 1);
  CHECK(throttled.in_phase == 1);
  CHECK(throttled.spread_runs == 1);
  CHECK(throttled.spread == 0);
  CHECK(throttled.places == std::set<std::string>{"b/0", "b/1"});
  // A link is the host's, whichever rank looked at it.
  CHECK(arms[kLinks].places == std::set<std::string>{"b"});
}

}  // namespace rackproof::swing

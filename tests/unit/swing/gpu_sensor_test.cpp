#include "benches/swing/gpu_sensor.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/unit/folder.hpp"

namespace rackproof::swing {
namespace {

constexpr const char* kHead = R"({"hosts": [{"match": "*", "gpus": 1, "device": {"name": "A",
    "uuid": "GPU-{index}", "power_limit_watts": 1000, "state": {)";

// A GPU with this state, and these changes of it, behind a library of the name that is looked for.
class Played {
 public:
  explicit Played(const std::string& state, const std::string& changes = "") {
    folder_.write("nvml.json", kHead + state + "}, \"changes\": [" + changes + "]}}]}");
    setenv("FAKE_NVML_FILE", folder_.path("nvml.json").c_str(), 1);
    REQUIRE(dlopen(FAKE_NVML, RTLD_NOW | RTLD_LOCAL) != nullptr);
    auto found = kit::cuda::Nvml::open("GPU-0");
    REQUIRE(found);
    nvml = std::make_shared<kit::cuda::Nvml>(*std::move(found));
  }
  ~Played() { unsetenv("FAKE_NVML_FILE"); }
  Played(const Played&) = delete;
  Played& operator=(const Played&) = delete;

  std::shared_ptr<kit::cuda::Nvml> nvml;

 private:
  test::Folder folder_;
};

std::optional<double> count(const EventCounts& counts, Event event) {
  return counts[static_cast<std::size_t>(event)];
}

}  // namespace

TEST_CASE("a GPU tells what its power smoothing is set to") {
  const Played played(R"("smoothing": 1, "smoothing_profile": 2, "smoothing_floor_watts": 500,
      "smoothing_rise_milliwatts": 1000000, "smoothing_fall_milliwatts": 2000000,
      "smoothing_hysteresis_ms": 400)");
  const Smoothing set = smoothing_of(*played.nvml);
  CHECK(set.enabled == true);
  CHECK(set.profile == 2);
  CHECK(set.floor_watts == 500);
  CHECK(set.rise_watts_a_second == 1000);
  CHECK(set.fall_watts_a_second == 2000);
  CHECK(set.hysteresis_seconds == 0.4);
}

TEST_CASE("a GPU that knows nothing of smoothing tells nothing of it") {
  const Played played(R"("celsius": 50)");
  const Smoothing set = smoothing_of(*played.nvml);
  CHECK_FALSE(set.enabled);
  CHECK_FALSE(set.floor_watts);
  CHECK_FALSE(set.hysteresis_seconds);
}

TEST_CASE("reasons count by the driver's nanoseconds") {
  const Played played(R"("power_brake_ns": 12000, "throttle": 0)");
  GpuCounters counters(played.nvml, std::make_unique<NoCounters>());
  CHECK(count(counters.read(), Event::kPowerBrake) == 12000);
  CHECK(count(counters.read(), Event::kThrottle) == 0);
  CHECK_FALSE(count(counters.read(), Event::kLostLink));
}

TEST_CASE("reasons count by looks where the driver counts nothing") {
  const Played played(R"("throttle": 128)");
  GpuCounters counters(played.nvml, std::make_unique<NoCounters>());
  const EventCounts before = counters.read();
  counters.look();
  CHECK(came(before, counters.read(), Event::kPowerBrake));
  CHECK_FALSE(came(before, counters.read(), Event::kThrottle));
}

TEST_CASE("what the driver does not tell is not counted") {
  const Played played(R"("celsius": 50)");
  GpuCounters counters(played.nvml, std::make_unique<NoCounters>());
  CHECK_FALSE(count(counters.read(), Event::kPowerBrake));
  CHECK(count(counters.read(), Event::kXid) == 0);
}

TEST_CASE("Xids that come are counted once") {
  const Played played(R"("celsius": 50)",
                      R"({"after_ms": 0, "xid": 79}, {"after_ms": 0, "xid": 45})");
  GpuCounters counters(played.nvml, std::make_unique<NoCounters>());
  CHECK(count(counters.read(), Event::kXid) == 2);
  CHECK(count(counters.read(), Event::kXid) == 2);
}

TEST_CASE("energy and limit are the device's, and each reading looks at the reasons") {
  const Played played(R"("millijoules": 1234500, "throttle": 64)");
  GpuCounters counters(played.nvml, std::make_unique<NoCounters>());
  const EventCounts before = counters.read();
  GpuSensor sensor(played.nvml, counters);
  CHECK(sensor.joules() == Approx(1234.5));
  CHECK(sensor.limit_watts() == 1000);
  CHECK(came(before, counters.read(), Event::kThrottle));
}

}  // namespace rackproof::swing

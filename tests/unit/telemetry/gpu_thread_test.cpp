#include "harness/telemetry/gpu_thread.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <map>
#include <thread>

#include "harness/telemetry/missing.hpp"
#include "tests/unit/telemetry/play.hpp"

namespace rackproof::telemetry {
namespace {

using Values = std::map<std::string, double>;
constexpr double kLong = 30;  // longer than a busy machine takes

Values read_gpus(GpuThread& gpus, Moment moment = {}) {
  std::vector<double> values(gpus.columns().size());
  gpus.read(moment, values);
  Values named;
  for (std::size_t i = 0; i < values.size(); ++i) named[gpus.columns()[i].key()] = values[i];
  return named;
}

// Reads until something holds: events and faults come when they come.
template <class Condition>
Values read_until(GpuThread& gpus, Condition holds) {
  for (;;) {
    Values values = read_gpus(gpus);
    if (holds(values)) return values;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

constexpr const char* kState =
    R"("state": {"milliwatts": 250500, "millijoules": 7000, "celsius": 55,
    "memory_celsius": 61, "sm_mhz": 1980, "memory_mhz": 3201, "busy": 98, "memory_busy": 40,
    "throttle": 4, "ecc_corrected": 1, "ecc_uncorrected": 0, "pcie_replays": 5})";

}  // namespace

TEST_CASE("each GPU gives its columns in base units") {
  const Play play(kState);
  GpuThread gpus(RACKPROOF_FAKE_NVML, kLong, kLong);
  REQUIRE(gpus.gpus() == 2);
  CHECK(gpus.notes().empty());
  const Values values = read_gpus(gpus);
  CHECK(values.at("gpu.power{GPU-1}") == Approx(250.5));
  CHECK(values.at("gpu.energy{GPU-1}") == Approx(7));
  CHECK(values.at("gpu.temperature{GPU-0}") == 55);
  CHECK(values.at("gpu.memory_temperature{GPU-0}") == 61);
  CHECK(values.at("gpu.sm_clock{GPU-0}") == Approx(1.98e9));
  CHECK(values.at("gpu.memory_clock{GPU-0}") == Approx(3.201e9));
  CHECK(values.at("gpu.utilization{GPU-0}") == Approx(0.98));
  CHECK(values.at("gpu.memory_utilization{GPU-0}") == Approx(0.4));
  CHECK(values.at("gpu.throttle{GPU-0}") == 4);
  CHECK(values.at("gpu.ecc_corrected{GPU-0}") == 1);
  CHECK(values.at("gpu.ecc_uncorrected{GPU-0}") == 0);
  CHECK(values.at("gpu.pcie_replays{GPU-0}") == 5);
  CHECK(values.at("gpu.xids{GPU-0}") == 0);
  CHECK(why_missing(values.at("gpu.remap_pending{GPU-0}")) == "the driver does not support it");
  CHECK_FALSE(values.contains("gpu.nvlink_replays{GPU-0}"));
  // Counters are dear: not at each sample, but at the last.
  CHECK(is_not_due(read_gpus(gpus, {1, false}).at("gpu.ecc_corrected{GPU-0}")));
  CHECK(read_gpus(gpus, {1, false}).at("gpu.power{GPU-0}") == Approx(250.5));
  CHECK(read_gpus(gpus, {1, true}).at("gpu.ecc_corrected{GPU-0}") == 1);
}

TEST_CASE("throttle reasons are asked for by the later name where a driver has no other") {
  const Play play(kState);
  GpuThread gpus(RACKPROOF_RENAMED_NVML, kLong, kLong);
  REQUIRE(gpus.gpus() == 2);
  CHECK(read_gpus(gpus).at("gpu.throttle{GPU-0}") == 4);
}

TEST_CASE("an Xid, a counter that moves and a GPU that is lost show when they happen") {
  const Scratch scratch;
  const std::string bad = scratch.path("bad");
  const std::string gone = scratch.path("gone");
  const Play play(std::string(kState) + R"(, "changes": [{"when": ")" + bad + R"(", "xid": 79},
      {"when": ")" +
                  bad + R"(", "state": {"ecc_corrected": 9, "ecc_uncorrected": 2, "throttle": 8}},
      {"when": ")" +
                  gone + R"(", "state": {"lost": 1}}])");
  GpuThread gpus(RACKPROOF_FAKE_NVML, kLong, kLong);
  read_until(gpus, [](const Values& v) {
    return v.at("gpu.ecc_uncorrected{GPU-0}") == 0 && v.at("gpu.ecc_uncorrected{GPU-1}") == 0;
  });
  write_text(bad, "");
  const Values values = read_until(gpus, [](const Values& v) {
    return v.at("gpu.xids{GPU-0}") == 1 && v.at("gpu.xids{GPU-1}") == 1;
  });
  CHECK(values.at("gpu.last_xid{GPU-0}") == 79);
  read_until(gpus, [](const Values& v) {
    return v.at("gpu.ecc_uncorrected{GPU-0}") == 2 && v.at("gpu.ecc_uncorrected{GPU-1}") == 2;
  });
  write_text(gone, "");
  // A sample may have been under way when both went.
  const Values lost = read_until(gpus, [](const Values& v) {
    return !is_value(v.at("gpu.power{GPU-0}")) && !is_value(v.at("gpu.power{GPU-1}"));
  });
  for (const char* key : {"gpu.power{GPU-1}", "gpu.temperature{GPU-1}", "gpu.ecc_corrected{GPU-1}",
                          "gpu.throttle{GPU-1}"}) {
    CHECK(why_missing(lost.at(key)) == "the GPU is lost");
  }
  std::vector<std::string> told;
  for (const Event& event : gpus.take_events()) {
    CHECK(event.severity == model::Severity::kError);
    CHECK(event.monotonic_ns > 0);
    told.push_back(event.device + " " + event.text);
  }
  std::sort(told.begin(), told.end());
  CHECK(told == std::vector<std::string>{"GPU-0 NVML: 2 more uncorrected ECC errors",
                                         "GPU-0 NVML: Xid 79", "GPU-0 NVML: the GPU is lost",
                                         "GPU-1 NVML: 2 more uncorrected ECC errors",
                                         "GPU-1 NVML: Xid 79", "GPU-1 NVML: the GPU is lost"});
  read_gpus(gpus);
  CHECK(gpus.take_events().empty());
}

TEST_CASE("a call that hangs costs its deadline and says for how long") {
  const Play play(kState, R"("delays_ms": {"nvmlDeviceGetTemperature": 1000}, )");
  GpuThread gpus(RACKPROOF_FAKE_NVML, kLong, 0.05);
  const std::string first = why_missing(read_gpus(gpus).at("gpu.power{GPU-0}"));
  REQUIRE(first.starts_with("no answer in 0."));
  CHECK(gpus.hangs());
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const std::string later = why_missing(read_gpus(gpus).at("gpu.power{GPU-0}"));
  REQUIRE(later.starts_with("no answer in "));
  const std::size_t number = std::string("no answer in ").size();
  CHECK(std::stod(first.substr(number)) >= 0.05);
  CHECK(std::stod(later.substr(number)) > std::stod(first.substr(number)));
  // When the driver comes back, so do the values.
  const Values back =
      read_until(gpus, [](const Values& v) { return is_value(v.at("gpu.power{GPU-0}")); });
  CHECK(back.at("gpu.temperature{GPU-1}") == 55);
}

TEST_CASE("a driver that hangs at its start is named and left alone") {
  const Play play(kState, R"("delays_ms": {"nvmlInit_v2": 2000}, )");
  GpuThread gpus(RACKPROOF_FAKE_NVML, 0.05, kLong);
  CHECK(gpus.columns().empty());
  CHECK(gpus.notes() ==
        std::vector<std::string>{"GPUs are not recorded: NVML: no answer in 0.05 s"});
  CHECK(gpus.hangs());
  read_gpus(gpus);
  while (gpus.hangs()) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

TEST_CASE("without a driver, or without a GPU that answers, there is a note") {
  GpuThread none("/nowhere/libnvidia-ml.so.1", kLong, kLong);
  REQUIRE(none.notes().size() == 1);
  CHECK(none.notes()[0].starts_with("GPUs are not recorded: /nowhere/libnvidia-ml.so.1"));
  CHECK_FALSE(none.hangs());
  const Play play(R"("lost": 15)");
  GpuThread lost(RACKPROOF_FAKE_NVML, kLong, kLong);
  CHECK(lost.gpus() == 0);
  CHECK(lost.notes() == std::vector<std::string>{"GPU 0 is not recorded: GPU is lost",
                                                 "GPU 1 is not recorded: GPU is lost"});
}

}  // namespace rackproof::telemetry

#include "harness/telemetry/summary.hpp"

#include <catch2/catch.hpp>

#include "harness/telemetry/missing.hpp"

namespace rackproof::telemetry {
namespace {

constexpr std::uint64_t kOneSecond = 1'000'000'000;

// Samples at 1, 2, ... s. Power rises by 10 W a second, energy by 100 J, throttled from second 6.
Recording ten_seconds() {
  Recording recording;
  recording.about.interval_ns = kOneSecond;
  recording.about.columns = {{"gpu.power", "GPU-0", "W", Kind::kGauge, ""},
                             {"gpu.energy", "GPU-0", "J", Kind::kCounter, ""},
                             {"gpu.throttle", "GPU-0", "1", Kind::kMask, ""},
                             {"gpu.power", "GPU-1", "W", Kind::kGauge, ""},
                             {"gpu.ecc_corrected", "GPU-0", "1", Kind::kCounter, ""},
                             {"nic.receive_errors", "eth0", "1", Kind::kCounter, ""},
                             {"load.1", "", "1", Kind::kGauge, ""},
                             {"recorder.cpu", "", "s", Kind::kCounter, ""},
                             {"recorder.interval", "", "s", Kind::kGauge, ""}};
  for (std::uint64_t i = 1; i <= 10; ++i) {
    const auto n = static_cast<double>(i);
    recording.samples.push_back({i,
                                 i * kOneSecond,
                                 {n * 10, n * 100, i < 6 ? 1.0 : 4.0, 7, 0, i < 9 ? 3.0 : 5.0, n,
                                  n * 1e-4, i < 9 ? 1.0 : 2.0}});
  }
  return recording;
}

std::map<std::string, model::SeriesSummary> by_name(const std::vector<model::SeriesSummary>& all) {
  std::map<std::string, model::SeriesSummary> named;
  for (const auto& one : all) named[one.name + one.subject] = one;
  return named;
}

}  // namespace

TEST_CASE("an attempt on a device gets what its device did meanwhile") {
  const auto all =
      by_name(summarise(ten_seconds(), {3 * kOneSecond + 1, 8 * kOneSecond - 1}, "GPU-0"));
  REQUIRE(all.size() == 3);
  const model::SeriesSummary& power = all.at("gpu.powerGPU-0");
  CHECK(power.samples == 4);
  CHECK(power.min == 40.0);
  CHECK(power.max == 70.0);
  CHECK(power.median == 55.0);
  CHECK(power.p95 == 70.0);
  CHECK(power.unit == "W");
  // From the sample before it to the one after it.
  CHECK(all.at("gpu.energyGPU-0").delta.value() == Approx(500));
  const auto& shares = all.at("gpu.throttleGPU-0").shares;
  CHECK(shares == std::map<std::string, double>{{"idle", 0.5}, {"power-cap", 0.5}});
}

TEST_CASE("of energy that is read seldom an attempt gets the part of its time") {
  Recording recording = ten_seconds();
  for (std::size_t i = 0; i < 10; ++i) {
    if (i % 9 != 0) recording.samples[i].values[1] = missing(Why::kNotDue);
  }
  const auto delta = [&](double from, double to) {
    const Window window{static_cast<std::uint64_t>(from * kOneSecond),
                        static_cast<std::uint64_t>(to * kOneSecond)};
    return by_name(summarise(recording, window, "GPU-0")).at("gpu.energyGPU-0").delta;
  };
  CHECK(delta(4, 6).value() == Approx(200));
  CHECK(delta(1, 10).value() == Approx(900));
  CHECK(delta(0.5, 3).value() == Approx(200));
  CHECK(delta(9, 12).value() == Approx(100));
}

TEST_CASE("counters of the node that moved meanwhile are told to its devices too") {
  const auto all = by_name(summarise(ten_seconds(), {7 * kOneSecond, 9 * kOneSecond}, "GPU-0"));
  CHECK(all.at("nic.receive_errorseth0").delta == 2.0);
  CHECK_FALSE(all.contains("load.1"));
  CHECK_FALSE(all.contains("gpu.powerGPU-1"));
}

TEST_CASE("an attempt on a node gets all but what the recorder says of itself") {
  const auto all = by_name(summarise(ten_seconds(), {kOneSecond, 10 * kOneSecond}, ""));
  CHECK(all.contains("gpu.powerGPU-1"));
  CHECK(all.at("load.1").max == 10.0);
  CHECK_FALSE(all.contains("recorder.cpu"));
  CHECK_FALSE(all.contains("gpu.ecc_correctedGPU-0"));
}

TEST_CASE("what is missing is said and no number is made of it") {
  Recording recording = ten_seconds();
  for (std::size_t i = 4; i < 10; ++i) {
    recording.samples[i].values[0] = missing(Why::kDriver, 15);
    recording.samples[i].values[1] = missing(Why::kDriver, 15);
    recording.samples[i].values[4] = missing(Why::kNotDue);
  }
  auto all = by_name(summarise(recording, {3 * kOneSecond, 8 * kOneSecond}, "GPU-0"));
  CHECK(all.at("gpu.powerGPU-0").max == 40.0);
  CHECK(all.at("gpu.powerGPU-0").missing == "the GPU is lost");
  // What it used after it was lost is not known.
  CHECK(all.at("gpu.energyGPU-0").delta == 100.0);
  CHECK(all.at("gpu.energyGPU-0").missing == "the GPU is lost");
  all = by_name(summarise(recording, {6 * kOneSecond, 8 * kOneSecond}, "GPU-0"));
  CHECK(all.at("gpu.powerGPU-0").samples == 0);
  CHECK_FALSE(all.at("gpu.powerGPU-0").max);
  CHECK_FALSE(all.at("gpu.energyGPU-0").delta);
}

TEST_CASE("without a sample in its time an attempt gets nothing") {
  CHECK(summarise(ten_seconds(), {11 * kOneSecond, 12 * kOneSecond}, "").empty());
  CHECK(summarise(Recording(), {0, 12 * kOneSecond}, "").empty());
}

TEST_CASE("bits without a name and values that are no bits") {
  CHECK(throttle_shares({0, 512}) == std::map<std::string, double>{{"bit-9", 0.5}});
  CHECK(throttle_shares({-1, 1e300}).empty());
}

TEST_CASE("a recording says what it holds and what it cost") {
  Recording recording = ten_seconds();
  recording.about.start_monotonic_ns = kOneSecond;
  recording.about.start_realtime_ns = 1'700'000'000 * std::int64_t{kOneSecond};
  const model::RecordingInfo info = info_of(recording);
  CHECK(info.samples == 10);
  CHECK(info.ends_utc == "2023-11-14T22:13:29.000Z");
  CHECK(info.slowest_seconds == 2);
  CHECK(info.interval_seconds == 1);
  // A thousandth of a second for ten samples of two GPUs.
  CHECK(info.cpu_seconds_per_sample == Approx(5e-5));
  CHECK_FALSE(info.closed);
  CHECK(info_of(Recording()).ends_utc.empty());
}

}  // namespace rackproof::telemetry

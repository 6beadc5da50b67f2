#include "harness/telemetry/recorder.hpp"

#include <catch2/catch.hpp>

#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/ring_reader.hpp"
#include "tests/unit/inventory/machine.hpp"
#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {

TEST_CASE("a recorder writes this node's samples and its own cost") {
  const Scratch scratch;
  RecorderOptions options;
  options.path = scratch.path("r");
  Recorder recorder(options);
  for (int i = 0; i < 3; ++i) recorder.sample();
  recorder.sample(true);
  recorder.close();
  const Recording recording = read_recording(options.path);
  REQUIRE(recording.samples.size() == 4);
  const auto value = [&](std::size_t sample, const char* key) {
    return recording.samples[sample].values.at(static_cast<std::size_t>(recording.column(key)));
  };
  CHECK(is_value(value(0, "load.1")));
  CHECK(value(0, "memory.available") > 1e6);
  CHECK(value(3, "cpu.idle") >= value(0, "cpu.idle"));
  CHECK(value(0, "recorder.cpu") > 0);
  CHECK(value(3, "recorder.cpu") > value(0, "recorder.cpu"));
  CHECK(value(3, "recorder.cpu") == Approx(recorder.cost().cpu_seconds));
  CHECK(recorder.cost().per_sample() == Approx(recorder.cost().cpu_seconds / 4));
  CHECK(value(3, "recorder.interval") == Approx(0.1));
  CHECK_FALSE(recording.about.boot.empty());
}

TEST_CASE("a recorder that is over its budget takes fewer samples and writes that down") {
  const Scratch scratch;
  const inventory::Machine machine;
  RecorderOptions options;
  options.path = scratch.path("r");
  options.root = machine.root();
  options.budget_seconds = 1e-9;  // no sample is as cheap
  Recorder recorder(options);
  for (int i = 0; i < 40; ++i) recorder.sample();
  CHECK(recorder.cost().stretch > 1);
  CHECK(recorder.interval_seconds() > 0.15);
  recorder.close();
  const Recording recording = read_recording(options.path);
  const auto column = static_cast<std::size_t>(recording.column("recorder.interval"));
  CHECK(recording.samples.front().values[column] == Approx(0.1));
  CHECK(recording.samples.back().values[column] == Approx(recorder.interval_seconds()));
}

}  // namespace rackproof::telemetry

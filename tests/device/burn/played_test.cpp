// The whole of burn-cuda on a device that is played.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string_view>

#include "benches/burn/cuda.hpp"
#include "benches/burn/cuda_workload.hpp"
#include "benches/kit/errors.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/unit/gemm/recording_session.hpp"
#include "tests/unit/listed.hpp"

using namespace rackproof;
using namespace rackproof::burn;
using cuda_host::Done;
using cuda_host::machine_to_change;
using cuda_host::play;
using cuda_host::Stage;

namespace {

constexpr std::string_view kProduct = "a matrix product of cuBLASLt";

CudaSettings tiny() {
  CudaSettings settings;
  settings.dtypes = {"bf16", "int8"};
  settings.size = 32;
  settings.depth = 64;
  settings.seconds = 0.1;
  settings.window = 0.02;
  settings.memory_fraction = 0.2;
  settings.search_seconds = 0;
  settings.seed = 11;
  return settings;
}

test::RecordingSession run(const CudaSettings& settings) {
  test::RecordingSession session;
  measure_cuda(settings, session);
  return session;
}

}  // namespace

TEST_CASE("burn-cuda proves every type by turns") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = product::dtype_names();
  settings.memory_fraction = 0.9;
  const auto session = run(settings);
  REQUIRE(session.checks.size() == product::kAllDtypes.size());
  for (const protocol::Check& check : session.checks) {
    INFO(check.name << ": " << check.detail);
    CHECK(check.passed);
    CHECK(check.digest.size() == 32);
    CHECK(check.compared >= (4 + 2) * 32 * 32);
  }
  REQUIRE(session.metrics.size() == session.checks.size());
  CHECK(session.metrics[0].name == "burn.rate");
  CHECK(session.metrics[0].check == "burn.fp64");
  CHECK(session.metrics.back().unit == "OP/s");
  for (const protocol::Metric& metric : session.metrics) {
    INFO(metric.name << " in " << metric.unit);
    CHECK(test::is_listed(metric, "burn", "cuda"));
  }
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("windows go to the types by turns and each has some") {
  const Stage stage;
  const auto session = run(tiny());
  REQUIRE(session.metrics.size() == 2);
  const auto first = session.metrics[0].samples.size();
  const auto second = session.metrics[1].samples.size();
  // However slow the machine is.
  CHECK(second >= 1);
  CHECK(first >= second);
  CHECK(first <= second + 1);
}

TEST_CASE("a wrong bit in the middle of the burn is counted once and placed") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"bf16"};
  settings.flip = 0.05;
  const auto session = run(settings);
  REQUIRE(session.checks.size() == 1);
  CHECK_FALSE(session.checks[0].passed);
  CHECK(session.checks[0].wrong == 1);
  REQUIRE(session.checks[0].first_wrong);
  CHECK(session.checks[0].first_wrong->where.find("multiplication") != std::string::npos);
}

TEST_CASE("the bit of --inject is in the very first result") {
  const Stage stage;
  test::RecordingSession session;
  session.fault = kit::Injection{32 * 3 + 4, 2};
  measure_cuda(tiny(), session);
  REQUIRE(session.checks.size() == 2);
  CHECK(session.checks[0].wrong == 1);
  CHECK(session.checks[0].first_wrong->where ==
        "window 1, multiplication 1, result matrix 0, row 3, column 4");
  CHECK(session.checks[1].passed);
}

TEST_CASE("a fault of the device that begins after the references is found") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"fp16"};
  // Four references and the first result matrix are written before the burn; all others in it.
  std::set<char*> places;
  play().after = [&](const Done& done) {
    if (done.operation != kProduct) return;
    places.insert(done.written);
    if (places.size() > 5) done.written[33] ^= 0x40;
  };
  const auto session = run(settings);
  REQUIRE(session.checks.size() == 1);
  CHECK_FALSE(session.checks[0].passed);
  CHECK(session.checks[0].first_wrong->where.find("row 0, column 16") != std::string::npos);
}

TEST_CASE("a reference that is not exact is told and nothing is burned") {
  const Stage stage;
  CudaSettings settings = tiny();
  play().after = [](const Done& done) {
    if (done.operation == kProduct) done.written[4] ^= 0x20;
  };
  const auto session = run(settings);
  REQUIRE(session.checks.size() == 2);
  CHECK_FALSE(session.checks[0].passed);
  CHECK(session.checks[0].detail.find("nothing was burned") != std::string::npos);
  CHECK(session.metrics.empty());
}

TEST_CASE("each result matrix is used again with the operands in each other's place") {
  const Stage stage;
  const CudaSettings settings = tiny();
  const cublas::Handle handle;
  const kit::cuda::Stream stream;
  const kit::cuda::DeviceMemory memory(3 * 32 * 32 * 2);
  Workload workload(handle, settings, product::Dtype::kBf16, {memory.data(), 3 * 32 * 32 * 2}, 5);
  REQUIRE(workload.slots() == 3);
  REQUIRE(workload.prepare({1, 0}));
  REQUIRE(workload.prove().wrong == 0);
  for (std::int64_t i = 0; i < 9; ++i) {
    workload.queue(i, std::nullopt, static_cast<std::uint64_t>(i), stream);
  }
  for (std::int64_t i = 9; i < 15; ++i) workload.queue_exact(i, 0, stream);
  stream.synchronize();
  CHECK(workload.findings().wrong == 0);
  // From now on nothing is written: each matrix keeps the exact product of the pass before.
  play().begins = [](int, std::string_view operation) { return operation != kProduct; };
  workload.queue_exact(15, 15, stream);
  stream.synchronize();
  CHECK(workload.findings().wrong > 32 * 32 * 3 / 4);
  CHECK(workload.findings().label == 15);
}

TEST_CASE("a pulsing burn is proved and marked") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.pulse_period = 0.01;
  settings.pulse_duty = 0.3;
  const auto session = run(settings);
  REQUIRE(session.metrics.size() == 2);
  CHECK(session.checks[0].passed);
  CHECK(session.metrics[0].parameters.count("pulse_duty") == 1);
}

TEST_CASE("what the device lacks is a note among others and the end alone") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"nvfp4", "bf16"};
  machine_to_change().major = 9;
  const auto session = run(settings);
  CHECK(session.checks.size() == 1);
  CHECK(session.notes[1] == "nvfp4 needs compute capability 10.0; this device has 9.0");
  settings.dtypes = {"nvfp4"};
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
}

TEST_CASE("without an algorithm for any type there is nothing to burn") {
  const Stage stage;
  CudaSettings settings = tiny();
  machine_to_change().algorithms = 0;
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
}

TEST_CASE("matrices beyond the free memory are refused with what is free") {
  const Stage stage;
  CudaSettings settings = tiny();
  machine_to_change().memory = 1 << 20;
  CHECK_THROWS_AS(run(settings), kit::UsageError);
}

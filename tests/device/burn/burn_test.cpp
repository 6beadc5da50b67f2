#include <catch2/catch.hpp>

#include "benches/burn/cuda.hpp"
#include "benches/burn/cuda_workload.hpp"
#include "benches/kit/errors.hpp"
#include "tests/device/sizes.hpp"
#include "tests/unit/gemm/recording_session.hpp"

using namespace rackproof;
using namespace rackproof::burn;
using device_tests::kSizes;

namespace {

CudaSettings short_burn() {
  CudaSettings settings;
  settings.dtypes = {"bf16", "fp32"};
  settings.size = kSizes.burn_size;
  settings.depth = kSizes.burn_depth;
  settings.seconds = 1;
  settings.window = 0.1;
  settings.memory_fraction = kSizes.burn_fraction;
  settings.search_seconds = 0.1;
  settings.candidates = 2;
  return settings;
}

std::vector<product::Findings> burn_with_fault(product::Dtype dtype, int bit) {
  CudaSettings settings = short_burn();
  const cublas::Handle handle;
  const kit::cuda::Stream stream;
  const kit::cuda::DeviceMemory memory(kSizes.burn_memory);
  Workload workload(handle, settings, dtype,
                    {memory.data(), static_cast<std::int64_t>(kSizes.burn_memory)}, 5);
  std::vector<product::Findings> seen;
  if (!workload.prepare({1, 0.1})) return seen;
  CHECK(workload.prove().wrong == 0);
  for (std::int64_t i = 0; i < 2 * workload.slots(); ++i) {
    workload.queue(i, std::nullopt, static_cast<std::uint64_t>(i), stream);
  }
  workload.queue_exact(3, 3, stream);
  stream.synchronize();
  seen.push_back(workload.findings());
  workload.queue(4, kit::Injection{777, bit}, 4, stream);
  stream.synchronize();
  seen.push_back(workload.findings());
  return seen;
}

}  // namespace

TEST_CASE("every bit of an element of every type is compared") {
  for (const product::Dtype dtype : {product::Dtype::kFp64, product::Dtype::kFp32,
                                     product::Dtype::kBf16, product::Dtype::kFp16}) {
    const int width = 8 * product::numbers(dtype).result_bytes;
    for (const int bit : {0, 1, width / 2, width - 2, width - 1}) {
      const std::vector<product::Findings> seen = burn_with_fault(dtype, bit);
      INFO(product::numbers(dtype).name << " bit " << bit);
      if (seen.empty()) continue;  // the device lacks it
      CHECK(seen[0].wrong == 0);
      CHECK(seen[1].wrong == 1);
      CHECK(seen[1].element == 777);
      CHECK(seen[1].label == 4);
      CHECK((seen[1].got ^ seen[1].want) == std::uint64_t{1} << bit);
    }
  }
}

TEST_CASE("a short burn gives proved rates of each dtype") {
  test::RecordingSession session;
  measure_cuda(short_burn(), session);
  REQUIRE(session.checks.size() == 2);
  for (const protocol::Check& check : session.checks) {
    INFO(check.detail);
    CHECK(check.passed);
  }
  REQUIRE(session.metrics.size() >= 2);
  CHECK(session.metrics[0].name == "burn.rate");
  CHECK(session.metrics[0].samples.size() >= kSizes.burn_samples);
  CHECK(session.metrics[0].value > kSizes.least_flops);
}

TEST_CASE("a pulsing burn is proved as well") {
  test::RecordingSession session;
  CudaSettings settings = short_burn();
  settings.pulse_period = 0.02;
  measure_cuda(settings, session);
  REQUIRE(session.checks.size() == 2);
  CHECK(session.checks[0].passed);
  CHECK(session.metrics[0].parameters.count("pulse_period") == 1);
}

TEST_CASE("one bit made wrong on the way is caught and placed") {
  test::RecordingSession session;
  CudaSettings settings = short_burn();
  settings.dtypes = {"bf16"};
  settings.flip = 0.5;
  measure_cuda(settings, session);
  REQUIRE(session.checks.size() == 1);
  CHECK_FALSE(session.checks[0].passed);
  CHECK(session.checks[0].wrong == 1);
  REQUIRE(session.checks[0].first_wrong);
  CHECK(session.checks[0].first_wrong->where.rfind("window ", 0) == 0);
}

TEST_CASE("an injected bit is caught") {
  test::RecordingSession session;
  session.fault = kit::Injection{4099, 2};
  measure_cuda(short_burn(), session);
  REQUIRE(session.checks.size() == 2);
  CHECK(session.checks[0].wrong == 1);
  CHECK(session.checks[1].passed);
}

TEST_CASE("a matrix beyond the memory of the device is refused with what is free") {
  test::RecordingSession session;
  CudaSettings settings = short_burn();
  settings.size = 131072;
  settings.depth = 1 << 20;
  CHECK_THROWS_AS(measure_cuda(settings, session), kit::UsageError);
}

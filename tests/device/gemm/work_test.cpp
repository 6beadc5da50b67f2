#include "benches/gemm/cuda_work.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "benches/gemm/cuda.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"
#include "tests/device/sizes.hpp"
#include "tests/unit/gemm/recording_session.hpp"

using namespace rackproof;
using namespace rackproof::gemm;
using device_tests::kSizes;

namespace {

CudaSettings short_run() {
  CudaSettings settings;
  settings.shapes = {std::to_string(kSizes.shape)};
  settings.seconds = 0.1;
  settings.settle = 0;
  settings.burst = 0.05;
  settings.search_seconds = 0.2;
  settings.candidates = 4;
  return settings;
}

}  // namespace

TEST_CASE("each type that the device has gives a proved rate and the others a note") {
  test::RecordingSession session;
  measure_cuda(short_run(), session);
  REQUIRE(session.checks.size() >= 5);
  CHECK(session.metrics.size() == 2 * session.checks.size());
  for (const protocol::Check& check : session.checks) {
    INFO(check.name << ": " << check.detail);
    CHECK(check.passed);
    CHECK(check.compared > kSizes.shape * kSizes.shape);
    CHECK(check.digest.empty());
  }
  for (const protocol::Metric& metric : session.metrics) CHECK(metric.value > kSizes.least_flops);
}

// Not held against the sustained rate: what else runs on a machine may slow down either.
TEST_CASE("the burst is the best of its windows") {
  test::RecordingSession session;
  CudaSettings settings = short_run();
  settings.dtypes = {"fp32"};
  measure_cuda(settings, session);
  REQUIRE(session.metrics.size() == 2);
  CHECK(session.metrics[0].name == "gemm.rate");
  CHECK(session.metrics[1].name == "gemm.burst");
  const std::vector<double>& windows = session.metrics[1].samples;
  REQUIRE_FALSE(windows.empty());
  CHECK(session.metrics[1].value == *std::max_element(windows.begin(), windows.end()));
  CHECK(session.metrics[1].value > kSizes.least_flops);
}

TEST_CASE("two runs with one seed have one digest and another seed has another") {
  std::vector<std::string> digests;
  for (const std::int64_t seed : {7, 7, 8}) {
    test::RecordingSession session;
    CudaSettings settings = short_run();
    settings.dtypes = {"fp32"};
    settings.seed = seed;
    measure_cuda(settings, session);
    REQUIRE(session.checks.size() == 1);
    digests.push_back(session.checks.front().digest);
  }
  CHECK(digests[0].size() == 32);
  CHECK(digests[0] == digests[1]);
  CHECK(digests[0] != digests[2]);
}

TEST_CASE("an injected bit fails the check of every type") {
  for (const int bit : {0, 9, 15}) {
    test::RecordingSession session;
    session.fault = kit::Injection{120 * kSizes.shape + 76, bit};
    measure_cuda(short_run(), session);
    for (const protocol::Check& check : session.checks) {
      INFO(check.name << " bit " << bit);
      // The sign of a zero is not looked at: an element of 0 may hide the highest bit.
      if (check.passed && bit == 15) continue;
      CHECK_FALSE(check.passed);
      CHECK(check.wrong >= 1);
      REQUIRE(check.first_wrong);
      CHECK(check.first_wrong->where == "exact operands, row 120, column 76");
    }
  }
}

TEST_CASE("results that differ from the reference are found after the round") {
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kFp32, {kSizes.shape, kSizes.shape, kSizes.shape}},
                  true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0.1});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 4);
  CHECK(work.round(0, 3, [] {}).size() == 3);
  CHECK(work.round_fault().wrong == 0);
  work.fill_pattern(product::Pattern::kNormal, 2);  // other operands under the same reference
  (void)work.round(0, 1, [] {});
  CHECK(work.round_fault().wrong > kSizes.shape * kSizes.shape);
  CHECK(work.round_fault().first->where.rfind("timed round 2, ", 0) == 0);
}

TEST_CASE("a shape beyond the memory of the device is refused with what is free") {
  test::RecordingSession session;
  CudaSettings settings = short_run();
  settings.shapes = {"1048576"};
  settings.dtypes = {"fp64"};
  CHECK_THROWS_AS(measure_cuda(settings, session), kit::UsageError);
}

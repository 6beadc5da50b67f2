#include <catch2/catch.hpp>

#include "benches/gemm/cuda.hpp"
#include "benches/gemm/cuda_work.hpp"
#include "benches/kit/errors.hpp"
#include "tests/unit/gemm/recording_session.hpp"
#include "tests/unit/listed.hpp"
#include "tests/unit/product/fake_cuda.hpp"

using namespace rackproof;
using namespace rackproof::gemm;
using test::fake_gpu;
using test::FakeGpu;

namespace {

CudaSettings tiny() {
  fake_gpu() = FakeGpu{};
  CudaSettings settings;
  settings.shapes = {"64x32x96"};
  settings.seconds = 0;
  settings.settle = 0;
  settings.burst = 0;
  settings.min_samples = 2;
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

TEST_CASE("gemm-cuda proves every type and says its check before its numbers") {
  const test::RecordingSession session = run(tiny());
  REQUIRE(session.checks.size() == product::kAllDtypes.size());
  for (const protocol::Check& check : session.checks) {
    INFO(check.name << ": " << check.detail);
    CHECK(check.passed);
    CHECK(check.digest.size() == 32);
    // The exact product, and both results of at least one round.
    CHECK(check.compared >= 3 * 64 * 32);
  }
  CHECK(session.checks.front().name == "gemm.fp64.64x32x96");
  REQUIRE(session.metrics.size() == 2 * session.checks.size());
  CHECK(session.metrics[0].name == "gemm.rate");
  CHECK(session.metrics[0].samples.size() >= 2);
  CHECK(session.metrics[1].name == "gemm.burst");
  CHECK(session.metrics.back().unit == "OP/s");
  for (const protocol::Metric& metric : session.metrics) {
    INFO(metric.name << " in " << metric.unit);
    CHECK(test::is_listed(metric, "gemm", "cuda"));
  }
  CHECK(session.order[0] == "check gemm.fp64.64x32x96");
  CHECK(fake_gpu().memory_in_use == 0);
}

TEST_CASE("an injected bit of the exact product fails its check with its place") {
  for (const int bit : {0, 6, 12}) {
    CudaSettings settings = tiny();
    test::RecordingSession session;
    session.fault = kit::Injection{32 * 5 + 7, bit};
    measure_cuda(settings, session);
    for (const protocol::Check& check : session.checks) {
      INFO(check.name << " bit " << bit);
      CHECK_FALSE(check.passed);
      CHECK(check.wrong == 1);
      REQUIRE(check.first_wrong);
      CHECK(check.first_wrong->where == "exact operands, row 5, column 7");
    }
  }
}

TEST_CASE("a timed result with other bits than the first is found") {
  fake_gpu() = FakeGpu{};
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kBf16, {32, 64, 16}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 2);
  fake_gpu().spoil = [](std::int64_t, unsigned char* c, std::size_t) { c[200] ^= 1U; };
  (void)work.round(0, 2, [] {});
  CHECK(work.round_fault().wrong == kResultBuffers);
  CHECK(work.round_fault().first->where == "timed round 1, row 1, column 36");
}

TEST_CASE("a first timed result that is not finite is wrong") {
  fake_gpu() = FakeGpu{};
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kFp32, {8, 8, 8}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  fake_gpu().skip = [](std::int64_t) { return true; };  // all poison
  CHECK(work.make_reference(tuned->best).wrong == 64);
}

TEST_CASE("products that wrote nothing are not taken for what was there before") {
  fake_gpu() = FakeGpu{};
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kBf16, {32, 64, 16}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 4);
  CHECK(work.round(0, 3, [] {}).size() == 3);
  CHECK(work.round_fault().wrong == 0);
  fake_gpu().skip = [](std::int64_t) { return true; };
  CHECK(work.round(0, 1, [] {}).size() == 1);
  CHECK(work.round_fault().wrong == kResultBuffers * 32 * 64);
  CHECK(work.round_fault().first->where == "timed round 2, row 0, column 0");
}

TEST_CASE("while the host looks at the device that has samples to go on with") {
  fake_gpu() = FakeGpu{};
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kBf16, {32, 64, 16}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 4);
  const std::int64_t before = fake_gpu().graph_launches;
  const std::int64_t done = fake_gpu().graphs_done;
  std::vector<std::int64_t> waiting;
  const auto samples = work.round(0, 20, [&] {
    waiting.push_back(fake_gpu().graph_launches - before - (fake_gpu().graphs_done - done));
  });
  CHECK(samples.size() == 20);
  REQUIRE(waiting.size() == 20);
  for (std::size_t i = 5; i < waiting.size(); ++i) CHECK(waiting[i] >= 5);
  CHECK(work.round(0, 2, [] {}).size() == 2);
  CHECK(work.round_fault().wrong == 0);
}

TEST_CASE("algorithms that refuse are passed over and the rest is measured") {
  CudaSettings settings = tiny();
  settings.dtypes = {"fp32"};
  fake_gpu().refusing = 2;
  CHECK(run(settings).checks[0].passed);
}

TEST_CASE("without any algorithm there is nothing to measure") {
  CudaSettings settings = tiny();
  settings.dtypes = {"fp32"};
  fake_gpu().algorithms = 0;
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
  fake_gpu().algorithms = 3;
  fake_gpu().refusing = 3;
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
}

TEST_CASE("what the device lacks is a note among others and the end alone") {
  CudaSettings settings = tiny();
  fake_gpu().major = 9;
  test::RecordingSession session = run(settings);
  CHECK(session.checks.size() == product::kAllDtypes.size() - 2);
  const std::string lacking = "nvfp4 needs compute capability 10.0; this device has 9.0";
  CHECK(std::count(session.notes.begin(), session.notes.end(), lacking) == 1);
  settings.dtypes = {"nvfp4"};
  CHECK_THROWS_WITH(run(settings), lacking);
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
}

TEST_CASE("digests hang on the seed alone and are left out without one") {
  CudaSettings settings = tiny();
  settings.dtypes = {"bf16", "fp8_e4m3"};
  const auto first = run(settings);
  fake_gpu().refusing = 1;  // another algorithm: the same numbers here
  const auto second = run(settings);
  CHECK(first.checks[0].digest == second.checks[0].digest);
  CHECK(first.checks[0].digest != first.checks[1].digest);
  settings.seed = 12;
  CHECK(run(settings).checks[0].digest != first.checks[0].digest);
  settings.seed = 0;
  CHECK(run(settings).checks[0].digest.empty());
}

TEST_CASE("a cell beyond the free memory is refused before anything is measured") {
  CudaSettings settings = tiny();
  fake_gpu().free_bytes = 1 << 20;
  CHECK_THROWS_AS(run(settings), kit::UsageError);
  CHECK(fake_gpu().products == 0);
}

TEST_CASE("burst and settling are timed apart from what is reported") {
  CudaSettings settings = tiny();
  settings.dtypes = {"fp64"};
  settings.burst = 0.02;
  settings.settle = 0.02;
  settings.seconds = 0.05;
  const auto session = run(settings);
  double total = 0;
  for (const double rate : session.metrics[0].samples) total += 1 / rate;
  CHECK(session.metrics[0].samples.size() >= 2);
  CHECK(session.metrics[1].value > 0);
  CHECK(total > 0);
}

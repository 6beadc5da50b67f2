// The whole of gemm-cuda on a device that is played.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string_view>

#include "benches/gemm/cuda.hpp"
#include "benches/gemm/cuda_work.hpp"
#include "benches/kit/errors.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/unit/gemm/recording_session.hpp"
#include "tests/unit/listed.hpp"

using namespace rackproof;
using namespace rackproof::gemm;
using cuda_host::Done;
using cuda_host::machine_to_change;
using cuda_host::play;
using cuda_host::Stage;

namespace {

constexpr std::string_view kProduct = "a matrix product of cuBLASLt";

CudaSettings tiny() {
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
  const Stage stage;
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
  // Without seconds for it there is no burst.
  REQUIRE(session.metrics.size() == session.checks.size());
  CHECK(session.metrics[0].name == "gemm.rate");
  CHECK(session.metrics[0].samples.size() >= 2);
  CHECK(session.metrics.back().unit == "OP/s");
  for (const protocol::Metric& metric : session.metrics) {
    INFO(metric.name << " in " << metric.unit);
    CHECK(test::is_listed(metric, "gemm", "cuda"));
  }
  CHECK(session.order[0] == "check gemm.fp64.64x32x96");
  CHECK(cuda_host::still_held() == 0);
}

TEST_CASE("an injected bit of the exact product fails its check with its place") {
  const Stage stage;
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
  const Stage stage;
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kBf16, {32, 64, 16}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 2);
  play().after = [](const Done& done) {
    if (done.operation == kProduct) done.written[200] ^= 1;
  };
  (void)work.round(0, 2, [] {});
  CHECK(work.round_fault().wrong == kResultBuffers);
  CHECK(work.round_fault().first->where == "timed round 1, row 1, column 36");
}

TEST_CASE("a first timed result that is not finite is wrong") {
  const Stage stage;
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kFp32, {8, 8, 8}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  play().begins = [](int, std::string_view operation) {
    return operation != kProduct;
  };  // all poison
  CHECK(work.make_reference(tuned->best).wrong == 64);
}

TEST_CASE("products that wrote nothing are not taken for what was there before") {
  const Stage stage;
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kBf16, {32, 64, 16}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 4);
  CHECK(work.round(0, 3, [] {}).size() == 3);
  CHECK(work.round_fault().wrong == 0);
  play().begins = [](int, std::string_view operation) { return operation != kProduct; };
  CHECK(work.round(0, 1, [] {}).size() == 1);
  CHECK(work.round_fault().wrong == kResultBuffers * 32 * 64);
  CHECK(work.round_fault().first->where.starts_with("timed round 2, row "));
}

TEST_CASE("while the host looks at the device that has samples to go on with") {
  const Stage stage;
  const cublas::Handle handle;
  DeviceWork work(handle, {product::Dtype::kBf16, {32, 64, 16}}, true);
  work.fill_pattern(product::Pattern::kNormal, 1);
  const auto tuned = work.tune({1, 0});
  REQUIRE(tuned);
  CHECK(work.make_reference(tuned->best).wrong == 0);
  work.prepare(tuned->best, 4);
  // The device begins sample k when the host has looked k + 5 times, having queued one more each
  // time.
  constexpr std::int64_t kSamples = 20;
  constexpr std::int64_t kProducts = 4;
  constexpr std::int64_t kWaiting = 5;
  std::mutex mutex;
  std::condition_variable looked;
  std::int64_t looks = 0;
  std::int64_t products = 0;
  bool starved = false;
  play().begins = [&](int, std::string_view operation) {
    if (operation != kProduct) return true;
    std::unique_lock lock(mutex);
    const std::int64_t sample = products++ / kProducts;
    const auto enough = [&] { return looks >= std::min(sample + kWaiting, kSamples); };
    starved = starved || !looked.wait_for(lock, std::chrono::seconds(60), enough);
    return true;
  };
  const auto samples = work.round(0, kSamples, [&] {
    const std::lock_guard lock(mutex);
    ++looks;
    looked.notify_all();
  });
  CHECK(work.round_fault().wrong == 0);
  play() = {};
  CHECK(samples.size() == kSamples);
  CHECK(looks == kSamples);
  CHECK(products == kSamples * kProducts);
  CHECK_FALSE(starved);
  CHECK(work.round(0, 2, [] {}).size() == 2);
  CHECK(work.round_fault().wrong == 0);
}

TEST_CASE("algorithms that refuse are passed over and the rest is measured") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"fp32"};
  machine_to_change().refusing = 2;
  CHECK(run(settings).checks[0].passed);
}

TEST_CASE("the rate of every algorithm that ran is said, and which one was the fastest") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"fp32"};
  settings.search_seconds = 10;
  machine_to_change().algorithms = 4;
  machine_to_change().refusing = 1;
  const test::RecordingSession session = run(settings);
  contract::Parameters how;
  contract::Parameters search;
  for (const contract::Parameters& facts : session.facts) {
    if (facts.contains("search_rate")) how = facts;
    if (facts.contains("noise")) search = facts;
  }
  CHECK_FALSE(search.contains("rate_1"));
  CHECK(std::get<double>(search.at("noise")) >= 0);
  double most = 0;
  std::string fastest;
  for (const std::string place : {"2", "3", "4"}) {
    INFO(place);
    REQUIRE(search.contains("rate_" + place));
    const double rate = std::get<double>(search.at("rate_" + place));
    if (rate <= most) continue;
    most = rate;
    fastest = std::get<std::string>(search.at("algorithm_" + place));
  }
  CHECK(search.size() == 1 + 2 * 3);
  CHECK(std::get<double>(how.at("search_rate")) == most);
  CHECK(std::get<std::string>(how.at("algorithm")) == fastest);
}

TEST_CASE("without any algorithm there is nothing to measure") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"fp32"};
  machine_to_change().algorithms = 0;
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
  machine_to_change().algorithms = 3;
  machine_to_change().refusing = 3;
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
}

TEST_CASE("what the device lacks is a note among others and the end alone") {
  const Stage stage;
  CudaSettings settings = tiny();
  machine_to_change().major = 9;
  test::RecordingSession session = run(settings);
  CHECK(session.checks.size() == product::kAllDtypes.size() - 2);
  const std::string lacking = "nvfp4 needs compute capability 10.0; this device has 9.0";
  CHECK(std::count(session.notes.begin(), session.notes.end(), lacking) == 1);
  settings.dtypes = {"nvfp4"};
  CHECK_THROWS_WITH(run(settings), lacking);
  CHECK_THROWS_AS(run(settings), kit::Unavailable);
}

TEST_CASE("digests hang on the seed alone and are left out without one") {
  const Stage stage;
  CudaSettings settings = tiny();
  settings.dtypes = {"bf16", "fp8_e4m3"};
  const auto first = run(settings);
  machine_to_change().refusing = 1;  // another algorithm: the same numbers here
  const auto second = run(settings);
  CHECK(first.checks[0].digest == second.checks[0].digest);
  CHECK(first.checks[0].digest != first.checks[1].digest);
  settings.seed = 12;
  CHECK(run(settings).checks[0].digest != first.checks[0].digest);
  settings.seed = 0;
  CHECK(run(settings).checks[0].digest.empty());
}

TEST_CASE("a cell beyond the free memory is refused before anything is measured") {
  const Stage stage;
  CudaSettings settings = tiny();
  machine_to_change().memory = 1 << 20;
  int products = 0;
  play().begins = [&](int, std::string_view operation) {
    products += operation == kProduct ? 1 : 0;
    return true;
  };
  CHECK_THROWS_AS(run(settings), kit::UsageError);
  CHECK(products == 0);
}

TEST_CASE("burst and settling are timed apart from what is reported") {
  const Stage stage;
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

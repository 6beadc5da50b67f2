#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "benches/copy/copy.hpp"
#include "benches/copy/kernels.hpp"
#include "benches/copy/legs.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/pattern/device.hpp"
#include "tests/device/ear.hpp"
#include "tests/device/sizes.hpp"

using namespace rackproof;
namespace cuda = kit::cuda;
using device_tests::Ear;
using device_tests::kSizes;

namespace {

copy::Settings quick() {
  copy::Settings settings;
  settings.tests = {"h2d", "d2h", "peer_write", "peer_read", "latency"};
  settings.size = kSizes.copy_bytes;
  settings.copies = 8;
  settings.samples = 3;
  settings.seed = 1;
  return settings;
}

}  // namespace

TEST_CASE("the copying kernel copies every byte and no more for any count") {
  const cuda::Device device = cuda::select("");
  constexpr std::int64_t kWords = kSizes.copy_words;
  cuda::Stream stream;
  cuda::DeviceBuffer<std::uint64_t> from(kWords);
  cuda::DeviceBuffer<std::uint64_t> to(kWords);
  kit::pattern::queue_fill(from.data(), kWords, 3, 0, stream.get());
  kit::pattern::DeviceComparer comparer;
  const std::int64_t grid = std::int64_t{device.multiprocessors} * 2 * 384;
  for (const std::int64_t vectors : {std::int64_t{1}, std::int64_t{383}, grid - 1, grid, grid + 1,
                                     4 * grid, 4 * grid + 5, 7 * grid + 383}) {
    const std::int64_t words = 2 * vectors;
    REQUIRE(words < kWords);
    kit::pattern::queue_fill(to.data(), kWords, 3, kit::pattern::kPoison, stream.get());
    copy::queue_copy(to.data(), from.data(), vectors * 16, device.multiprocessors, stream.get());
    CHECK(comparer.compare(to.data(), words, 3, stream).wrong == 0);
    CHECK(comparer.compare(to.data(), kWords, 3, stream).wrong == kWords - words);
  }
}

TEST_CASE("a walk by the device ends where the host's ends") {
  cuda::select("");
  const std::vector<std::uint64_t> ring = copy::make_ring(9);
  cuda::DeviceBuffer<std::uint64_t> there(ring.size());
  cuda::copy(there.data(), ring.data(), there.bytes());
  copy::ChaseRun run(0, there.data());
  copy::Walk got;
  for (const std::uint64_t line : {0, 5, 16'383}) {
    const std::uint64_t start = line * copy::kLineWords;
    CHECK(run.run(start, true, got) > 0);
    CHECK(got == copy::walk(ring.data(), start, copy::kSteps));
  }
}

TEST_CASE("everything that is measured is proved and plausible") {
  Ear ear;
  copy::measure(quick(), ear);
  std::set<std::string> passed;
  for (const auto& check : ear.checks) {
    INFO(check.name);
    CHECK(check.passed);
    passed.insert(check.name);
  }
  CHECK(passed.size() == ear.checks.size());
  CHECK(ear.metrics.size() == ear.checks.size());
  for (const auto& metric : ear.metrics) {
    INFO(metric.name);
    CHECK(passed.contains(metric.check));
    CHECK(metric.samples.size() == 3);
    // No link of any machine moves a terabyte a second between host and device, or less than 100
    // MB.
    const bool latency = metric.unit == "s";
    CHECK(metric.value > (latency ? 1e-8 : kSizes.least_bytes_per_second));
    CHECK(metric.value < (latency ? kSizes.most_latency : 1e13));
  }
}

TEST_CASE("both directions run at the same time") {
  copy::Settings settings = quick();
  settings.tests = {"h2d"};
  settings.directions = {"both"};
  Ear ear;
  copy::measure(settings, ear);
  int seen = 0;
  for (const auto& [text, facts] : ear.notes) {
    const auto found = facts.find("least_overlap");
    if (found == facts.end()) continue;
    ++seen;
    INFO(text);
    CHECK(std::get<double>(found->second) > kSizes.least_overlap);
  }
  CHECK(seen > 0);
}

TEST_CASE("a copy within the device is proved by both engines") {
  copy::Settings settings = quick();
  settings.tests = {"local"};
  settings.device = "0";
  settings.size = kSizes.local_bytes;
  Ear ear;
  copy::measure(settings, ear);
  CHECK(ear.metrics.size() == 2);
  for (const auto& check : ear.checks) CHECK(check.passed);
}

TEST_CASE("one flipped bit fails every check that it is put into") {
  Ear ear;
  ear.fault = kit::Injection{12345, 3};
  copy::measure(quick(), ear);
  CHECK_FALSE(ear.checks.empty());
  for (const auto& check : ear.checks) {
    INFO(check.name);
    CHECK_FALSE(check.passed);
    CHECK(check.wrong == 1);
    CHECK(check.first_wrong);
  }
}

TEST_CASE("sizes that do not fit are refused with what is free") {
  Ear ear;
  copy::Settings settings = quick();
  settings.size = std::int64_t{1} << 40;
  CHECK_THROWS_WITH(copy::measure(settings, ear), Catch::Contains("free"));
  settings.size = 4096;
  settings.tests = {"local"};
  CHECK_THROWS_AS(copy::measure(settings, ear), kit::UsageError);
}

// stream-cuda on a machine that is played: what is chosen, what is said of it, and when the state
// of the device is looked at.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/graph.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/stream/cuda.hpp"
#include "benches/stream/cuda_kernels.hpp"
#include "tests/device/ear.hpp"
#include "tests/support/cuda_host/play.hpp"

using namespace rackproof;
using namespace rackproof::stream;
using cuda_host::Done;
using cuda_host::play;
using cuda_host::Stage;
using device_tests::Ear;
namespace cuda = kit::cuda;

namespace {

// The note of the search for this kernel.
const contract::Parameters& ways_of(const Ear& ear, const std::string& kernel) {
  for (const auto& [text, facts] : ear.notes) {
    const auto found = facts.find("kernel");
    if (found != facts.end() && std::get<std::string>(found->second) == kernel) return facts;
  }
  throw std::runtime_error("no note of the ways of " + kernel);
}

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

TEST_CASE("the fastest way is chosen, and the rate of every way is said") {
  const Stage stage;
  constexpr double kBytes = 1 << 20;
  // Bulk copies of 16 KiB with bulk stores take half as long as all others: two of the ways.
  play().seconds = [](const Done& done) {
    return has(done.operation, "bulk_kernel") && has(done.operation, "16384, true") ? 1e-6 : 2e-6;
  };
  CudaSettings settings;
  settings.size = 1 << 20;
  settings.iterations = 2;
  settings.search_turns = 1;
  settings.variant = "tuned";
  Ear ear;
  measure_cuda(settings, ear);
  const cuda::Device device = cuda::select("");
  const CudaMachine machine{device.major, 0, 0, device.shared_bytes_per_block};
  const std::vector<std::pair<std::string, double>> words = {
      {"copy", 2}, {"scale", 2}, {"add", 3}, {"triad", 3}};
  for (const auto& [kernel, count] : words) {
    const contract::Parameters& facts = ways_of(ear, kernel);
    for (const Way& way : ways_for(machine)) {
      INFO(kernel << " " << name_of(way));
      const bool fast = way.tile_bytes == 16384 && way.bulk_stores;
      REQUIRE(facts.contains(name_of(way)));
      CHECK(std::get<double>(facts.at(name_of(way))) ==
            Approx(count * kBytes / (fast ? 1e-6 : 2e-6)).epsilon(1e-3));
    }
    const auto chosen = std::get<std::string>(facts.at("chosen"));
    CHECK(has(chosen, "bulk-16KiB-"));
    CHECK(has(chosen, "-stores"));
    CHECK(std::get<double>(facts.at("lead")) == Approx(0).margin(1e-3));
    CHECK(std::get<double>(facts.at("noise")) == Approx(0).margin(1e-3));
    CHECK(std::get<std::string>(facts.at("type")) == "double");
  }
  const contract::Parameters& dot = ways_of(ear, "dot");
  for (const Way& way : dot_ways_for(machine)) CHECK(dot.contains(name_of(way)));
  REQUIRE(ear.metrics.size() == 5);
  CHECK(ear.metrics[0].value == Approx(2 * kBytes / 1e-6).epsilon(1e-3));
  CHECK(ear.metrics[3].value == Approx(3 * kBytes / 1e-6).epsilon(1e-3));
  REQUIRE(ear.checks.size() == 2);
  CHECK(
      std::all_of(ear.checks.begin(), ear.checks.end(), [](auto& check) { return check.passed; }));
}

TEST_CASE("the state of a device is looked at while it has work before it") {
  const Stage stage;
  (void)cuda::select("");
  constexpr int kTimes = 12;
  std::mutex mutex;
  std::condition_variable changed;
  int looks = 0;
  int begun = 0;
  bool in_time = false;
  // The last one does not begin before the device was looked at as often as that is done.
  play().begins = [&](int, std::string_view) {
    std::unique_lock lock(mutex);
    if (++begun < kTimes) return true;
    in_time = changed.wait_for(lock, std::chrono::seconds(60), [&] { return looks == 3; });
    return true;
  };
  constexpr std::size_t kCount = 1024;
  const cuda::DeviceBuffer<double> a(kCount);
  const cuda::DeviceBuffer<double> b(kCount);
  const cuda::DeviceBuffer<double> c(kCount);
  const DeviceArrays<double> arrays{a.data(), b.data(), c.data(), kCount};
  const cuda::Stream stream;
  std::vector<int> begun_by_then;
  const std::vector<double> seconds = cuda::time_each(
      stream, kTimes, [&](std::int64_t i) { launch_fill(arrays, i, stream.get()); },
      [&] {
        const std::lock_guard lock(mutex);
        begun_by_then.push_back(begun);
        ++looks;
        changed.notify_all();
      });
  CHECK(seconds.size() == kTimes);
  CHECK(in_time);
  // And not before it was at work.
  REQUIRE(begun_by_then.size() == 3);
  CHECK(begun_by_then.front() >= kTimes / 4);
}

#include "benches/stream/cuda_kernels.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <vector>

#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "tests/device/sizes.hpp"

using namespace rackproof;
using namespace rackproof::stream;
namespace cuda = kit::cuda;
using device_tests::kSizes;

namespace {

std::vector<Way> ways_of(const cuda::Device& device) {
  return ways_for({device.major, 0, 0, device.shared_bytes_per_block});
}

// Arrays of `bytes` that begin `shift` bytes behind the beginning of an allocation.
template <class T>
struct Fixture {
  static constexpr std::size_t kCount = kSizes.stream_bytes / sizeof(T);
  explicit Fixture(std::size_t bytes = kCount * sizeof(T), std::size_t shift = 0)
      : count(bytes / sizeof(T)), skipped(shift / sizeof(T)) {}

  std::size_t count;
  std::size_t skipped;
  cuda::Device device = cuda::select("");
  cuda::Stream stream;
  cuda::DeviceBuffer<T> a{skipped + count};
  cuda::DeviceBuffer<T> b{skipped + count};
  cuda::DeviceBuffer<T> c{skipped + count};
  cuda::DeviceBuffer<DeviceVerdict> verdict{1};
  DeviceArrays<T> arrays{a.data() + skipped, b.data() + skipped, c.data() + skipped,
                         static_cast<std::int64_t>(count)};

  void run(const Way& way, int rounds) {
    launch_fill(arrays, 3, stream.get());
    for (int round = 0; round < rounds; ++round) {
      for (const Kernel kernel : kKernels) {
        launch(kernel, way, arrays, device.multiprocessors, stream.get());
      }
    }
    // Whoever looks at the arrays does so on another stream.
    stream.synchronize();
  }

  DeviceVerdict verify(int rounds) {
    const DeviceVerdict clean{0, std::numeric_limits<unsigned long long>::max()};
    cuda::copy(verdict.data(), &clean, sizeof(clean));
    launch_verify(arrays, 3, factor_of<T>(0, rounds), factor_of<T>(1, rounds),
                  factor_of<T>(2, rounds), verdict.data(), stream.get());
    stream.synchronize();
    return cuda::read_one(verdict.data());
  }

  std::vector<T> read(const cuda::DeviceBuffer<T>& from) {
    std::vector<T> values(from.size());
    cuda::copy(values.data(), from.data(), from.bytes());
    return values;
  }
};

}  // namespace

TEMPLATE_TEST_CASE("each way computes the recurrence in every element", "", double, float) {
  Fixture<TestType> on;
  for (const Way& way : ways_of(on.device)) {
    INFO(name_of(way));
    on.run(way, kSizes.stream_rounds);
    CHECK(on.verify(kSizes.stream_rounds).wrong == 0);
    // The check itself is checked by the host, at the places where tiles begin and end.
    const auto a = on.read(on.a);
    for (std::size_t i = 0; i < a.size(); i += i % 1024 == 0 ? 1 : 1023) {
      REQUIRE(a[i] == start_value<TestType>(3, i) * factor_of<TestType>(0, kSizes.stream_rounds));
    }
  }
}

// Blocks that stay have a tile or two then, or none: fewer than they have stages. And the arrays
// are aligned to what a way loads at once, and to no more.
TEMPLATE_TEST_CASE("each way computes every element of a few tiles", "", double, float) {
  constexpr std::int64_t kLargestTile = 8 * 32 * 512;
  Fixture<TestType> aligned_to_16(kLargestTile, 16);
  Fixture<TestType> aligned_to_32(kLargestTile, 32);
  for (const Way& way : ways_of(aligned_to_16.device)) {
    INFO(name_of(way));
    const std::int64_t tile = tile_bytes_of(way, sizeof(TestType));
    REQUIRE(kLargestTile % tile == 0);
    Fixture<TestType>& on = way.width == 32 ? aligned_to_32 : aligned_to_16;
    on.run(way, 1);
    CHECK(on.verify(1).wrong == 0);
    if (way.walk != Walk::kBulk) continue;
    Fixture<TestType> one_tile(static_cast<std::size_t>(tile));
    one_tile.run(way, 1);
    CHECK(one_tile.verify(1).wrong == 0);
  }
}

TEMPLATE_TEST_CASE("one wrong bit in any array is found and located", "", double, float) {
  Fixture<TestType> on;
  on.run(ways_of(on.device).front(), 1);
  const std::size_t last = Fixture<TestType>::kCount - 1;
  for (const std::size_t index : {std::size_t{0}, last / 2, last}) {
    for (int array = 0; array < 3; ++array) {
      TestType* const place = (array == 0 ? on.a : array == 1 ? on.b : on.c).data() + index;
      const TestType good = cuda::read_one(place);
      const TestType bad = std::nextafter(good, TestType(0));
      cuda::copy(place, &bad, sizeof(bad));
      const DeviceVerdict found = on.verify(1);
      CHECK(found.wrong == 1);
      CHECK(found.first == 3 * index + static_cast<std::size_t>(array));
      cuda::copy(place, &good, sizeof(good));
    }
  }
  CHECK(on.verify(1).wrong == 0);
}

TEMPLATE_TEST_CASE("not a number is wrong", "", double, float) {
  Fixture<TestType> on;
  on.run(ways_of(on.device).front(), 1);
  const auto nan = std::numeric_limits<TestType>::quiet_NaN();
  cuda::copy(on.c.data() + 5, &nan, sizeof(nan));
  CHECK(on.verify(1).first == 3 * 5 + 2);
}

TEMPLATE_TEST_CASE("the dot product of each way is the sum in integers", "", double, float) {
  Fixture<TestType> on;
  cuda::DeviceBuffer<double> partial(kDotBlocks);
  cuda::DeviceBuffer<double> result(1);
  cuda::DeviceBuffer<unsigned long long> wanted(1);
  launch_dot_fill(on.arrays, 9, on.stream.get());
  cuda::fill_async(wanted.data(), 0, wanted.bytes(), on.stream);
  launch_dot_wanted(on.arrays.count, 9, wanted.data(), on.stream.get());
  on.stream.synchronize();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < on.a.size(); ++i) {
    sum += dot_value<std::uint64_t>(9, i) * dot_value<std::uint64_t>(~9ULL, i);
  }
  CHECK(cuda::read_one(wanted.data()) == sum);
  for (const Way& way : dot_ways_for({on.device.major, 0, 0, 0})) {
    INFO(name_of(way));
    launch_dot(way, on.arrays, on.device.multiprocessors, partial.data(), result.data(),
               on.stream.get());
    on.stream.synchronize();
    CHECK(cuda::read_one(result.data()) == static_cast<double>(sum));
  }
}

TEMPLATE_TEST_CASE("a last bit of an operand of the dot product is found", "", double, float) {
  Fixture<TestType> on;
  launch_dot_fill(on.arrays, 9, on.stream.get());
  on.stream.synchronize();
  const TestType good = cuda::read_one(on.b.data() + 77);
  const TestType bad = std::nextafter(good, TestType(100));
  cuda::copy(on.b.data() + 77, &bad, sizeof(bad));
  const DeviceVerdict clean{0, std::numeric_limits<unsigned long long>::max()};
  cuda::copy(on.verdict.data(), &clean, sizeof(clean));
  launch_dot_verify(on.arrays, 9, on.verdict.data(), on.stream.get());
  on.stream.synchronize();
  const DeviceVerdict found = cuda::read_one(on.verdict.data());
  CHECK(found.wrong == 1);
  CHECK(found.first == 3 * 77 + 1);
}

#include "tests/device/layer/words.hpp"

#include <cuda_fp16.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/memory.hpp"

using namespace rackproof;
using namespace rackproof::device_tests;
namespace cuda = kit::cuda;

namespace {

template <class Operation>
std::uint32_t halves(std::uint32_t a, std::uint32_t b, std::uint32_t c, Operation operation) {
  std::uint32_t made = 0;
  for (const unsigned shift : {0U, 16U}) {
    const auto one = [&](std::uint32_t word) { return static_cast<std::int16_t>(word >> shift); };
    const auto result = static_cast<std::int16_t>(operation(one(a), one(b), one(c)));
    made |= std::uint32_t{static_cast<std::uint16_t>(result)} << shift;
  }
  return made;
}

// The halves of a word as the toolkit has them, which computes with them on the host too.
__half2 as_halves(std::uint32_t word) {
  const auto one = [&](unsigned shift) {
    return __half(__half_raw{static_cast<unsigned short>(word >> shift)});
  };
  return {one(0), one(16)};
}

// Whether both are the same numbers, or none.
bool same_halves(std::uint32_t got, __half2 want) {
  const auto same = [](__half x, __half y) {
    if (__hisnan(x) || __hisnan(y)) return __hisnan(x) && __hisnan(y);
    return static_cast<__half_raw>(x).x == static_cast<__half_raw>(y).x;
  };
  const __half2 is = as_halves(got);
  return same(__low2half(is), __low2half(want)) && same(__high2half(is), __high2half(want));
}

// Numbers at their limits beside drawn ones.
std::vector<std::uint32_t> words(std::uint64_t seed, std::size_t count) {
  constexpr std::uint16_t kLimits[] = {0, 1, 0xFFFF, 0x7FFF, 0x8000, 0x8001, 0x7FFE, 12};
  std::mt19937_64 random(seed);
  const auto half = [&]() -> std::uint32_t {
    return random() % 2 == 0 ? kLimits[random() % 8] : static_cast<std::uint16_t>(random());
  };
  std::vector<std::uint32_t> made(count);
  for (std::uint32_t& word : made) word = half() << 16U | half();
  return made;
}

cuda::DeviceBuffer<std::uint32_t> on_device(const std::vector<std::uint32_t>& values) {
  cuda::DeviceBuffer<std::uint32_t> buffer(values.size());
  cuda::copy(buffer.data(), values.data(), buffer.bytes());
  return buffer;
}

}  // namespace

TEST_CASE("words of two numbers are what each half alone would be") {
  (void)cuda::select("");
  constexpr std::size_t kCount = 1000;
  const auto a = words(1, kCount);
  const auto b = words(2, kCount);
  const auto c = words(3, kCount);
  const auto on_a = on_device(a);
  const auto on_b = on_device(b);
  const auto on_c = on_device(c);
  const cuda::Stream stream;
  const cuda::DeviceBuffer<Made> made(kCount);
  queue_words(on_a.data(), on_b.data(), on_c.data(), kCount, made.data(), stream.get());
  stream.synchronize();
  std::vector<Made> got(kCount);
  cuda::copy(got.data(), made.data(), made.bytes());
  for (std::size_t i = 0; i < kCount; ++i) {
    INFO(i << ": " << a[i] << ", " << b[i] << ", " << c[i]);
    const auto add_max = [](int x, int y, int z) {
      return std::max(int{static_cast<std::int16_t>(x + y)}, z);
    };
    REQUIRE(got[i].max3 == halves(a[i], b[i], c[i], [](int x, int y, int z) {
              return std::max({x, y, z});
            }));
    REQUIRE(got[i].add_max == halves(a[i], b[i], c[i], add_max));
    const auto x = static_cast<std::int32_t>(a[i]);
    const auto y = static_cast<std::int32_t>(b[i]);
    const auto z = static_cast<std::int32_t>(c[i]);
    REQUIRE(got[i].max3_of_32 == std::max({x, y, z}));
    REQUIRE(got[i].add_max_of_32 == std::max(static_cast<std::int32_t>(a[i] + b[i]), z));
  }
}

TEST_CASE("words of two numbers in floating point are what the toolkit makes of them") {
  (void)cuda::select("");
  constexpr std::size_t kCount = 20'000;
  // Small ones, among which all are exact, beside any.
  auto a = words(4, kCount);
  auto b = words(5, kCount);
  for (std::size_t i = 0; i < kCount / 2; ++i) {
    a[i] &= 0x8FFF'8FFFU;
    b[i] &= 0x8FFF'8FFFU;
  }
  const auto on_a = on_device(a);
  const auto on_b = on_device(b);
  const cuda::Stream stream;
  const cuda::DeviceBuffer<Made> made(kCount);
  queue_words(on_a.data(), on_b.data(), on_b.data(), kCount, made.data(), stream.get());
  stream.synchronize();
  std::vector<Made> got(kCount);
  cuda::copy(got.data(), made.data(), made.bytes());
  const __half2 zeros = as_halves(0);
  for (std::size_t i = 0; i < kCount; ++i) {
    INFO(i << std::hex << ": " << a[i] << ", " << b[i] << " made " << got[i].larger << ", "
           << got[i].sum << ", " << got[i].sum_from_zero);
    const __half2 sum = __hadd2(as_halves(a[i]), as_halves(b[i]));
    REQUIRE(same_halves(got[i].larger, __hmax2(as_halves(a[i]), as_halves(b[i]))));
    REQUIRE(same_halves(got[i].sum, sum));
    REQUIRE(same_halves(got[i].sum_from_zero, __hmax2_nan(sum, zeros)));
  }
}

TEST_CASE("bytes of two words come as they are named, or as signs") {
  (void)cuda::select("");
  const auto a = on_device({0x83'02'81'00, 0x83'02'81'00, 0x83'02'81'00});
  const auto b = on_device({0x07'86'05'84, 0x07'86'05'84, 0x07'86'05'84});
  const auto selectors = on_device({0x3210, 0x4567, 0xC489});
  const cuda::Stream stream;
  const cuda::DeviceBuffer<Made> made(3);
  queue_words(a.data(), b.data(), selectors.data(), 3, made.data(), stream.get());
  stream.synchronize();
  CHECK(cuda::read_one(made.data()).bytes == 0x83'02'81'00);
  CHECK(cuda::read_one(made.data() + 1).bytes == 0x84'05'86'07);
  CHECK(cuda::read_one(made.data() + 2).bytes == 0xFF'84'00'FF);
}

TEST_CASE("lanes take from those of their group") {
  (void)cuda::select("");
  const cuda::Stream stream;
  const cuda::DeviceBuffer<Got> all(32);
  queue_shuffles(all.data(), stream.get());
  stream.synchronize();
  std::vector<Got> got(32);
  cuda::copy(got.data(), all.data(), all.bytes());
  for (int lane = 0; lane < 32; ++lane) {
    INFO("lane " << lane);
    const Got& one = got[static_cast<std::size_t>(lane)];
    CHECK(one.from_third == 30);
    CHECK(one.from_second_of_four == 10 * (lane / 4 * 4 + 1));
    CHECK(one.above_of_eight == 10 * (lane % 8 == 0 ? lane : lane - 1));
    CHECK(one.five_above == 10 * (lane < 5 ? lane : lane - 5));
    CHECK(one.below_of_four == 10 * (lane % 4 == 3 ? lane : lane + 1));
  }
}

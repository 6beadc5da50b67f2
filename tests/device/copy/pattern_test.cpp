#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/pattern/device.hpp"
#include "tests/device/sizes.hpp"

using namespace rackproof::kit;
using pattern::Difference;

namespace {

std::vector<std::uint64_t> read(const cuda::DeviceBuffer<std::uint64_t>& from) {
  std::vector<std::uint64_t> words(from.size());
  cuda::copy(words.data(), from.data(), from.bytes());
  return words;
}

}  // namespace

TEST_CASE("host and device agree on every word of a pattern") {
  for (const std::int64_t count :
       {std::int64_t{1}, std::int64_t{255}, rackproof::device_tests::kSizes.pattern_words}) {
    cuda::Stream stream;
    cuda::DeviceBuffer<std::uint64_t> buffer(static_cast<std::size_t>(count));
    pattern::queue_fill(buffer.data(), count, 11, 0, stream.get());
    stream.synchronize();
    CHECK(pattern::compare(read(buffer).data(), count, 11).wrong == 0);
    CHECK(pattern::DeviceComparer().compare(buffer.data(), count, 11, stream).wrong == 0);
    pattern::queue_fill(buffer.data(), count, 11, pattern::kPoison, stream.get());
    const Difference poisoned = pattern::DeviceComparer().compare(buffer.data(), count, 11, stream);
    CHECK(poisoned.wrong == count);
    CHECK(poisoned.first == 0);
    CHECK(poisoned.compared == count);
  }
}

TEST_CASE("one flipped bit is found by the device at its place") {
  constexpr std::int64_t kCount = 1'000'003;
  cuda::Stream stream;
  cuda::DeviceBuffer<std::uint64_t> buffer(kCount);
  pattern::queue_fill(buffer.data(), kCount, 5, 0, stream.get());
  stream.synchronize();
  pattern::DeviceComparer comparer;
  for (const std::int64_t index : {std::int64_t{0}, kCount / 3, kCount - 1}) {
    for (const int bit : {0, 31, 32, 63}) {
      const std::uint64_t good = pattern::word(5, index);
      const std::uint64_t bad = good ^ std::uint64_t{1} << bit;
      cuda::copy(buffer.data() + index, &bad, sizeof(bad));
      const Difference found = comparer.compare(buffer.data(), kCount, 5, stream);
      CHECK(found.wrong == 1);
      CHECK(found.first == index);
      CHECK(found.got == bad);
      CHECK(found.want == good);
      cuda::copy(buffer.data() + index, &good, sizeof(good));
    }
  }
}

TEST_CASE("memory of the host is filled and compared by the device too") {
  constexpr std::int64_t kCount = 100'000;
  cuda::Stream stream;
  cuda::PinnedBuffer<std::uint64_t> buffer(kCount);
  pattern::fill(buffer.data(), kCount, 7);
  CHECK(pattern::DeviceComparer().compare(buffer.data(), kCount, 7, stream).wrong == 0);
}

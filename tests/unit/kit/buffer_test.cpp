#include "benches/kit/buffer.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <utility>

#include "benches/kit/errors.hpp"

using namespace rackproof::kit;

TEST_CASE("a buffer is aligned, whole and zero until touched") {
  for (const Pages pages : {Pages::kDefault, Pages::kHuge}) {
    const Buffer<double> buffer(1001, pages);
    CHECK(buffer.size() == 1001);
    CHECK(reinterpret_cast<std::uintptr_t>(buffer.data()) % (2 << 20) == 0);
    buffer[1000] = 3;
    CHECK(buffer[0] == 0);
    CHECK(buffer.span().back() == 3);
  }
}

TEST_CASE("a buffer begins with a huge page where it holds one") {
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  CHECK(buffer_alignment(1024 * kMiB, Pages::kHuge, 512 * kMiB) == 512 * kMiB);
  CHECK(buffer_alignment(512 * kMiB, Pages::kHuge, 512 * kMiB) == 512 * kMiB);
  CHECK(buffer_alignment(511 * kMiB, Pages::kHuge, 512 * kMiB) == 2 * kMiB);
  CHECK(buffer_alignment(1024 * kMiB, Pages::kDefault, 512 * kMiB) == 2 * kMiB);
  CHECK(buffer_alignment(1, Pages::kHuge, 2 * kMiB) == 2 * kMiB);
  CHECK(buffer_alignment(1024 * kMiB, Pages::kHuge, 3) == 2 * kMiB);
  CHECK(buffer_alignment(1024 * kMiB, Pages::kHuge, 0) == 2 * kMiB);
}

TEST_CASE("a buffer moves") {
  RawBuffer first(4096);
  void* const data = first.data();
  RawBuffer second(std::move(first));
  CHECK(second.data() == data);
  RawBuffer third(8);
  third = std::move(second);
  CHECK(third.data() == data);
  CHECK(third.bytes() == 4096);
}

TEST_CASE("an empty buffer is one") { CHECK(RawBuffer(0).bytes() == 0); }

TEST_CASE("memory that no machine has is refused") {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  CHECK_THROWS_AS(RawBuffer(kMost), DeviceError);
  CHECK_THROWS_AS(RawBuffer(kMost / 2), DeviceError);
  CHECK_THROWS_AS(Buffer<double>(kMost / 4), DeviceError);
}

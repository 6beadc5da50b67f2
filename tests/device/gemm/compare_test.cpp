#include "benches/kit/product/device_compare.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/product/device_proof.hpp"

using namespace rackproof;
using namespace rackproof::product;
namespace cuda = kit::cuda;

namespace {

using Bytes = std::vector<unsigned char>;

Bytes some_bytes(std::size_t count) {
  Bytes bytes(count);
  for (std::size_t i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(mix(3, i));
  return bytes;
}

cuda::DeviceBuffer<unsigned char> upload(const Bytes& bytes) {
  cuda::DeviceBuffer<unsigned char> on_device(bytes.size());
  cuda::copy(on_device.data(), bytes.data(), bytes.size());
  return on_device;
}

Findings compare(const Bytes& got, const Bytes& want, int width, std::uint64_t label) {
  const cuda::Stream stream;
  const auto a = upload(got);
  const auto b = upload(want);
  const cuda::DeviceBuffer<Findings> findings(1);
  cuda::fill_async(findings.data(), 0, findings.bytes(), stream);
  compare_async(a.data(), b.data(), static_cast<std::int64_t>(got.size()) / width, width, label,
                findings.data(), stream);
  stream.synchronize();
  return cuda::read_one(findings.data());
}

std::uint64_t host_digest(const Bytes& bytes) {
  std::uint64_t sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 8) {
    std::uint64_t word = 0;
    for (std::size_t i = at; i < std::min(bytes.size(), at + 8); ++i) {
      word |= static_cast<std::uint64_t>(bytes[i]) << (8 * (i - at));
    }
    sum += digest_term(word, at / 8);
  }
  return sum;
}

// Whole words, several blocks, and what is left behind the last whole word.
const std::vector<std::size_t> kSizes = {8, 16, 24, 40, 4096, 16384, 65536 + 24, 1000008};

}  // namespace

TEST_CASE("equal arrays have no differences") {
  for (const std::size_t size : kSizes) {
    for (const int width : {2, 4, 8}) {
      CHECK(compare(some_bytes(size), some_bytes(size), width, 1).wrong == 0);
    }
  }
}

TEST_CASE("one flipped bit is found wherever it is") {
  for (const std::size_t size : kSizes) {
    // The last byte of the last whole word too: what is behind it is another kernel's.
    const std::size_t whole = std::max<std::size_t>(size / 16 * 16, 1);
    for (const std::size_t at : {std::size_t{0}, size / 2, whole - 1, size - 1}) {
      for (const int width : {2, 4, 8}) {
        Bytes got = some_bytes(size);
        got[at] ^= 0x10U;
        const Findings found = compare(got, some_bytes(size), width, 42);
        INFO(size << " " << at << " " << width);
        CHECK(found.wrong == 1);
        CHECK(found.label == 42);
        CHECK(found.element == at / static_cast<std::size_t>(width));
        CHECK((found.got ^ found.want) == std::uint64_t{0x10}
                                              << (8 * (at % static_cast<std::size_t>(width))));
      }
    }
  }
}

TEST_CASE("every wrong element is counted") {
  Bytes got = some_bytes(1 << 20);
  for (std::size_t i = 0; i < got.size(); i += 6) got[i] ^= 1U;
  const auto wrong = static_cast<unsigned long long>((got.size() + 5) / 6);
  CHECK(compare(got, some_bytes(1 << 20), 2, 1).wrong == wrong);
}

TEST_CASE("the digest of the device is that of the host") {
  const cuda::Stream stream;
  for (const std::size_t size : kSizes) {
    const Bytes bytes = some_bytes(size);
    const auto on_device = upload(bytes);
    CHECK(digest_of(on_device.data(), static_cast<std::int64_t>(size), stream) ==
          host_digest(bytes));
  }
}

TEST_CASE("NaN and infinities are counted") {
  const cuda::Stream stream;
  const std::vector<std::uint16_t> values = {0x3F80, 0x7F80, 0xFFFF, 0x7F7F, 0xFF80};
  const cuda::DeviceBuffer<std::uint16_t> on_device(values.size());
  cuda::copy(on_device.data(), values.data(), on_device.bytes());
  CHECK(count_not_finite(on_device.data(), Result::kBf16, 5, stream) == 3);
  CHECK(count_not_finite(on_device.data(), Result::kFp16, 5, stream) == 4);
}

TEST_CASE("a bit is flipped where it was asked for") {
  const cuda::Stream stream;
  const auto on_device = upload(Bytes(64));
  inject({5, 13}, on_device.data(), 16, 4, stream);
  stream.synchronize();
  Bytes back(64);
  cuda::copy(back.data(), on_device.data(), back.size());
  Bytes want(64);
  want[5 * 4 + 1] = 1U << 5U;
  CHECK(back == want);
}

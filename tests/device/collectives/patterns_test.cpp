// The kernels that make and prove data, against the host's own.
#include "benches/kit/reduction/patterns.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/reduction/dtypes.hpp"
#include "tests/device/sizes.hpp"

using namespace rackproof;
using namespace rackproof::reduction;
namespace cuda = kit::cuda;

namespace {

constexpr std::int64_t kCount = device_tests::kSizes.collective_elements;
constexpr std::int64_t kStride = device_tests::kSizes.collective_stride;
constexpr int kSlots = 3;
constexpr int kRanks = 6;
constexpr std::uint64_t kSeed = 31;
constexpr std::uint64_t kBatch = 4;

std::vector<std::optional<RedOp>> reductions() {
  std::vector<std::optional<RedOp>> all{std::nullopt};
  for (const auto& text : redop_words()) all.emplace_back(redop_of(text));
  return all;
}

SlotData data_of(Dtype dtype, std::optional<RedOp> redop, std::uint64_t batch) {
  const auto mean = with_type(
      dtype, [](auto zero) { return elements::mean_over<decltype(zero)>(std::uint64_t{kRanks}); });
  return {dtype, redop, {kSeed, batch, kRanks, mean}};
}

Pattern pattern_of(Dtype dtype, std::optional<RedOp> redop, int slot, std::uint64_t batch) {
  const std::uint64_t base = mix(kSeed, static_cast<std::uint64_t>(slot));
  return {dtype, redop, kRanks, {base, mix(base, batch)}};
}

struct Fixture {
  cuda::Stream stream;
  cuda::DeviceMemory memory{kSlots * kStride};
  cuda::DeviceBuffer<SlotFindings> findings{kSlots};
  cuda::DeviceBuffer<DeviceSegment> segments{2};

  Slots slots() const { return {static_cast<char*>(memory.data()), kStride, kSlots}; }

  std::vector<char> slot(int index) {
    std::vector<char> bytes(kStride);
    stream.synchronize();
    cuda::copy(bytes.data(), slots().base + index * kStride, bytes.size());
    return bytes;
  }

  std::vector<SlotFindings> verify(const SlotData& data, const std::vector<DeviceSegment>& parts) {
    std::vector<SlotFindings> found(kSlots, {0, kNoneWrong});
    std::int64_t longest = 0;
    for (const DeviceSegment& part : parts) longest = std::max(longest, part.count);
    cuda::copy_async(findings.data(), found.data(), findings.bytes(), stream);
    cuda::copy_async(segments.data(), parts.data(), parts.size() * sizeof(DeviceSegment), stream);
    verify_async(data, segments.data(), static_cast<int>(parts.size()), longest, slots(),
                 findings.data(), stream.get());
    stream.synchronize();
    cuda::copy(found.data(), findings.data(), findings.bytes());
    return found;
  }

  void put(int index, const std::vector<char>& bytes) {
    cuda::copy_async(slots().base + index * kStride, bytes.data(), bytes.size(), stream);
    stream.synchronize();
  }
};

}  // namespace

TEST_CASE("inputs made on the device are those of the host for every type and reduction") {
  Fixture fixture;
  for (const auto& type : dtype_words()) {
    const Dtype dtype = *dtype_of(type);
    for (const auto redop : reductions()) {
      INFO(type << " " << (redop ? word(*redop) : "moved"));
      for (const std::uint64_t batch : {kBatch, kBatch + 1}) {
        const Fill what = batch == kBatch ? Fill::kAll : Fill::kStamps;
        fill_async(data_of(dtype, redop, batch), what, 2, kCount, fixture.slots(),
                   fixture.stream.get());
        for (int slot = 0; slot < kSlots; ++slot) {
          std::vector<std::uint64_t> want(kCount);
          pattern_of(dtype, redop, slot, batch).input(2, 0, kCount, want.data());
          CHECK(compare(fixture.slot(slot).data(), want.data(), kCount, dtype).wrong == 0);
        }
      }
    }
  }
}

TEST_CASE("right results pass on the device and a flipped bit is found in its slot and place") {
  Fixture fixture;
  for (const auto& type : dtype_words()) {
    const Dtype dtype = *dtype_of(type);
    const auto width = static_cast<std::int64_t>(size_of(dtype));
    for (const auto redop : reductions()) {
      INFO(type << " " << (redop ? word(*redop) : "moved"));
      const int source = redop ? -1 : 3;
      // Two blocks of a longer output, the second at an odd place.
      const std::vector<DeviceSegment> parts{{source, 500, 0, kCount / 2},
                                             {source, 7, kCount / 2, kCount / 4 + 1}};
      for (int slot = 0; slot < kSlots; ++slot) {
        std::vector<char> bytes(kStride);
        const Pattern pattern = pattern_of(dtype, redop, slot, kBatch);
        for (const DeviceSegment& part : parts) {
          pattern.expected(part.source, part.index, part.count, bytes.data() + part.offset * width);
        }
        fixture.put(slot, bytes);
      }
      const SlotData data = data_of(dtype, redop, kBatch);
      for (const SlotFindings& found : fixture.verify(data, parts)) {
        CHECK(found.wrong == 0);
        CHECK(found.first == kNoneWrong);
      }
      for (const std::int64_t element : {std::int64_t{0}, kCount / 2 - 1, kCount * 3 / 4}) {
        std::vector<char> bytes = fixture.slot(1);
        bytes[static_cast<std::size_t>(element * width + width - 1)] ^= char{0x10};
        const std::vector<char> right = fixture.slot(1);
        fixture.put(1, bytes);
        const auto found = fixture.verify(data, parts);
        fixture.put(1, right);
        CHECK(found[0].wrong == 0);
        CHECK(found[1].wrong == 1);
        CHECK(found[1].first == static_cast<unsigned long long>(element));
        CHECK(found[2].wrong == 0);
      }
    }
  }
}

TEST_CASE("elements past two to the 31st are verified where they are") {
  constexpr std::int64_t kOffset = 2'200'000'000;
  constexpr std::int64_t kIndex = 3'000'000'000;
  constexpr std::int64_t kLength = 1000;
  const cuda::Stream stream;
  const cuda::DeviceMemory memory(static_cast<std::size_t>(kOffset + kLength));
  const cuda::DeviceBuffer<DeviceSegment> segment(1);
  const cuda::DeviceBuffer<SlotFindings> findings(1);
  const Slots slots{static_cast<char*>(memory.data()), kOffset + kLength, 1};
  const DeviceSegment part{3, kIndex, kOffset, kLength};
  cuda::copy(segment.data(), &part, sizeof(part));
  std::vector<char> bytes(kLength);
  pattern_of(Dtype::kInt8, std::nullopt, 0, kBatch).expected(3, kIndex, kLength, bytes.data());
  for (const bool right : {true, false}) {
    if (!right) bytes[700] ^= char{0x10};
    const SlotFindings none{0, kNoneWrong};
    cuda::copy(slots.base + kOffset, bytes.data(), bytes.size());
    cuda::copy(findings.data(), &none, sizeof(none));
    verify_async(data_of(Dtype::kInt8, std::nullopt, kBatch), segment.data(), 1, kLength, slots,
                 findings.data(), stream.get());
    stream.synchronize();
    const SlotFindings found = cuda::read_one(findings.data());
    CHECK(found.wrong == (right ? 0U : 1U));
    CHECK(found.first == (right ? kNoneWrong : static_cast<unsigned long long>(kOffset + 700)));
  }
}

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "benches/kit/product/block_scales.hpp"
#include "benches/kit/product/device_operand.hpp"

using namespace rackproof;
using namespace rackproof::product;

namespace {

constexpr std::int64_t kRows = 96;
constexpr std::int64_t kDepth = 192;

struct Fetched {
  std::vector<unsigned char> data;
  std::vector<unsigned char> scales;

  template <class T>
  T element(std::int64_t index) const {
    T value;
    std::memcpy(&value, data.data() + index * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    return value;
  }
};

Fetched fetch(Dtype dtype, const DeviceOperand& from) {
  Fetched copy{
      std::vector<unsigned char>(static_cast<std::size_t>(operand_bytes(dtype, kRows, kDepth))),
      std::vector<unsigned char>(static_cast<std::size_t>(scale_bytes(dtype, kRows, kDepth)))};
  kit::cuda::copy(copy.data.data(), from.data(), copy.data.size());
  if (!copy.scales.empty()) {
    kit::cuda::copy(copy.scales.data(), from.scales(), copy.scales.size());
  }
  return copy;
}

// The number that element (row, l) of an operand stands for, its scale of a block included.
double value_of(Dtype dtype, const Fetched& from, std::int64_t row, std::int64_t l) {
  const std::int64_t index = row * kDepth + l;
  switch (dtype) {
    case Dtype::kFp64:
      return from.element<double>(index);
    case Dtype::kFp32:
    case Dtype::kTf32:
      return from.element<float>(index);
    case Dtype::kBf16:
      return decode_bf16(from.element<Bf16>(index));
    case Dtype::kFp16:
      return decode_fp16(from.element<Fp16>(index));
    case Dtype::kFp8:
      return decode_e4m3(from.element<std::uint8_t>(index));
    case Dtype::kInt8:
      return from.element<std::int8_t>(index);
    case Dtype::kMxfp8: {
      const std::int64_t at = scale_offset(row, l / 32, kDepth / 32);
      return decode_e4m3(from.element<std::uint8_t>(index)) *
             power_of_two(from.scales[static_cast<std::size_t>(at)] - 127);
    }
    case Dtype::kNvfp4: {
      const std::int64_t at = scale_offset(row, l / 16, kDepth / 16);
      const auto byte = from.element<std::uint8_t>(index / 2);
      const auto bits = static_cast<std::uint8_t>(index % 2 == 0 ? byte & 0xFU : byte >> 4U);
      return decode_e2m1(bits) * decode_e4m3(from.scales[static_cast<std::size_t>(at)]);
    }
  }
  return 0;
}

}  // namespace

TEST_CASE("stored exact operands stand for the integers of the plan") {
  const kit::cuda::Stream stream;
  for (const Dtype dtype : kAllDtypes) {
    const ExactPlan plan = plan_exact(dtype, kDepth);
    const DeviceOperand operand(dtype, kRows, kDepth);
    for (const Side side : {Side::kA, Side::kB}) {
      INFO(numbers(dtype).name);
      fill_exact(operand.memory(), plan, side, 77, stream);
      stream.synchronize();
      const Fetched stored = fetch(dtype, operand);
      for (std::int64_t row = 0; row < kRows; ++row) {
        for (std::int64_t l = 0; l < kDepth; ++l) {
          const std::int64_t want =
              side == Side::kA ? exact_a(plan, 77, row, l) : exact_b(plan, 77, row, l);
          REQUIRE(value_of(dtype, stored, row, l) == static_cast<double>(want));
        }
      }
    }
  }
}

TEST_CASE("stored normal operands are near the values of the host") {
  const kit::cuda::Stream stream;
  for (const Dtype dtype : kAllDtypes) {
    const DeviceOperand operand(dtype, kRows, kDepth);
    fill_pattern(operand.memory(), Pattern::kNormal, 5, stream);
    stream.synchronize();
    const Fetched stored = fetch(dtype, operand);
    const double factor = dtype == Dtype::kInt8 ? kInt8Deviation : 1;
    // Half a unit in the last place of values below 8, or of the block's largest.
    const double step = dtype == Dtype::kNvfp4 ? 1 : dtype == Dtype::kInt8 ? 1 : 0.5;
    INFO(numbers(dtype).name);
    for (std::int64_t i = 0; i < kRows * kDepth; ++i) {
      const auto index = static_cast<std::uint64_t>(i);
      double want = factor * (dtype == Dtype::kFp64 ? normal_double(5, index)
                                                    : static_cast<double>(normal_float(5, index)));
      if (dtype == Dtype::kInt8) want = std::clamp(want, -127.0, 127.0);
      REQUIRE(std::abs(value_of(dtype, stored, i / kDepth, i % kDepth) - want) <= step);
    }
  }
}

TEST_CASE("zeros and constants are what they say") {
  const kit::cuda::Stream stream;
  for (const Dtype dtype : kAllDtypes) {
    const DeviceOperand operand(dtype, kRows, kDepth);
    INFO(numbers(dtype).name);
    for (const auto& [pattern, want] :
         {std::pair{Pattern::kZeros, 0.0}, std::pair{Pattern::kConstant, 1.0}}) {
      fill_pattern(operand.memory(), pattern, 5, stream);
      stream.synchronize();
      const Fetched stored = fetch(dtype, operand);
      for (std::int64_t l = 0; l < kDepth; ++l) {
        // A scale of 1/6 in e4m3 is off by up to 1/16.
        REQUIRE(value_of(dtype, stored, 41, l) ==
                Approx(want).margin(dtype == Dtype::kNvfp4 ? 0.07 : 0));
      }
    }
  }
}

#include "benches/kit/product/formats.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "benches/kit/product/mix.hpp"

using namespace rackproof::product;

namespace {

// The value of a small float, computed the slow way.
double value_of(std::uint32_t bits, int exponent_bits, int mantissa_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const auto mantissa = static_cast<double>(bits & ((1U << mantissa_bits) - 1));
  const int exponent = static_cast<int>(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  const double sign = (bits >> (exponent_bits + mantissa_bits) & 1U) != 0 ? -1 : 1;
  if (exponent == 0) return sign * std::ldexp(mantissa, 1 - bias - mantissa_bits);
  return sign * std::ldexp(mantissa + (1 << mantissa_bits), exponent - bias - mantissa_bits);
}

// The nearest of all finite values; of two the one whose last bit is 0.
std::uint32_t nearest(double value, std::uint32_t largest, int exponent_bits, int mantissa_bits) {
  std::uint32_t best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (std::uint32_t bits = 0; bits <= largest; ++bits) {
    const double off = std::abs(value_of(bits, exponent_bits, mantissa_bits) - std::abs(value));
    if (off < distance || (off == distance && (bits & 1U) == 0)) {
      distance = off;
      best = bits;
    }
  }
  const bool negative = std::signbit(value);
  return best | (negative ? 1U << (exponent_bits + mantissa_bits) : 0U);
}

float some_float(std::uint64_t i, int spread) {
  const std::uint64_t word = mix(7, i);
  const float mantissa = static_cast<float>(word >> 40U) / 16777216.0F + 1;
  const int exponent = static_cast<int>(word & 0xFFU) % (2 * spread) - spread;
  return ((word & 0x100U) != 0 ? -1.0F : 1.0F) * std::ldexp(mantissa, exponent);
}

}  // namespace

TEST_CASE("every e4m3 value is decoded as defined and survives a round trip") {
  for (std::uint32_t bits = 0; bits < 256; ++bits) {
    if ((bits & 0x7FU) == 0x7FU) continue;  // NaN
    const auto byte = static_cast<std::uint8_t>(bits);
    CHECK(decode_e4m3(byte) == value_of(bits, 4, 3));
    CHECK(encode_e4m3(decode_e4m3(byte)) == byte);
  }
  CHECK(decode_e4m3(kLargestE4m3) == kMostE4m3);
}

TEST_CASE("every e2m1 value is decoded as defined and survives a round trip") {
  for (std::uint8_t bits = 0; bits < 16; ++bits) {
    CHECK(decode_e2m1(bits) == value_of(bits, 2, 1));
    CHECK(encode_e2m1(decode_e2m1(bits)) == bits);
  }
  CHECK(decode_e2m1(kLargestE2m1) == kMostE2m1);
}

TEST_CASE("every finite fp16 value survives a round trip") {
  for (std::uint32_t bits = 0; bits < 65536; ++bits) {
    const Fp16 value{static_cast<std::uint16_t>(bits)};
    if (not_finite(value)) continue;
    REQUIRE(decode_fp16(value) == value_of(bits, 5, 10));
    REQUIRE(encode_fp16(decode_fp16(value)).bits == bits);
  }
}

TEST_CASE("values between are rounded to the nearest with ties to even") {
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const float value = some_float(i, 14);
    REQUIRE(encode_e4m3(value) == nearest(value, kLargestE4m3, 4, 3));
    REQUIRE(encode_e2m1(value) == nearest(value, kLargestE2m1, 2, 1));
  }
  // The middle between any two neighbours.
  for (std::uint32_t bits = 0; bits < kLargestE4m3; ++bits) {
    const auto middle = static_cast<float>((value_of(bits, 4, 3) + value_of(bits + 1, 4, 3)) / 2);
    CHECK(encode_e4m3(middle) == (bits % 2 == 0 ? bits : bits + 1));
  }
  CHECK(encode_bf16(1.0F + 1.0F / 256).bits == encode_bf16(1.0F).bits);
  CHECK(encode_bf16(1.0F + 3.0F / 256).bits == encode_bf16(1.0F + 1.0F / 64).bits);
}

TEST_CASE("what is too large is cut off at the largest finite value") {
  for (const float value : {449.0F, 512.0F, 1e6F, 1e30F}) {
    CHECK(encode_e4m3(value) == kLargestE4m3);
    CHECK(encode_e4m3(-value) == (0x80U | kLargestE4m3));
    CHECK(encode_e2m1(value) == kLargestE2m1);
  }
  CHECK(encode_fp16(70000.0F).bits == kLargestFp16);
  CHECK(encode_e4m3(0) == 0);
  CHECK(encode_e4m3(1e-30F) == 0);
}

TEST_CASE("bf16 holds every integer up to 256") {
  for (int i = -256; i <= 256; ++i) {
    CHECK(decode_bf16(encode_bf16(static_cast<float>(i))) == static_cast<float>(i));
  }
}

TEST_CASE("a scale in e8m0 is a power of two") {
  CHECK(encode_e8m0(0) == 127);
  CHECK(encode_e8m0(-2) == 125);
  CHECK(encode_e8m0(8) == 135);
}

TEST_CASE("integers are told from everything else") {
  const auto is = [](Whole got, std::int64_t value) { return got.whole && got.value == value; };
  CHECK(is(whole_of(12.0), 12));
  CHECK(is(whole_of(-9007199254740992.0), -9007199254740992));
  CHECK(is(whole_of(-0.0F), 0));
  CHECK(is(whole_of(encode_bf16(-255)), -255));
  CHECK(is(whole_of(encode_fp16(2047)), 2047));
  CHECK(is(whole_of(std::int32_t{-5}), -5));
  CHECK_FALSE(whole_of(0.5).whole);
  CHECK_FALSE(whole_of(1e300).whole);
  CHECK_FALSE(whole_of(std::numeric_limits<double>::quiet_NaN()).whole);
  CHECK_FALSE(whole_of(-std::numeric_limits<float>::infinity()).whole);
  CHECK_FALSE(whole_of(Bf16{0x7F80}).whole);
  CHECK_FALSE(whole_of(Bf16{0xFFFF}).whole);
  CHECK_FALSE(whole_of(Fp16{0x7C00}).whole);
  CHECK_FALSE(whole_of(Fp16{0xFFFF}).whole);
  CHECK(whole_of(3.75).value == 3);
}

TEST_CASE("NaN and infinity are seen by their bits") {
  CHECK(not_finite(std::numeric_limits<double>::infinity()));
  CHECK(not_finite(std::numeric_limits<double>::quiet_NaN()));
  CHECK(not_finite(-std::numeric_limits<float>::infinity()));
  CHECK(not_finite(std::numeric_limits<float>::quiet_NaN()));
  CHECK(not_finite(Bf16{0x7F80}));
  CHECK(not_finite(Bf16{0xFFC1}));
  CHECK(not_finite(Fp16{0xFC00}));
  CHECK_FALSE(not_finite(1e308));
  CHECK_FALSE(not_finite(std::numeric_limits<float>::max()));
  CHECK_FALSE(not_finite(Bf16{0x7F7F}));
  CHECK_FALSE(not_finite(Fp16{0x7BFF}));
  CHECK_FALSE(not_finite(std::int32_t{-1}));
}

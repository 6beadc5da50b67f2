#include "benches/kit/product/random_values.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace rackproof::product;

TEST_CASE("normal values have the mean and the deviation of normal values") {
  constexpr int kCount = 200'000;
  double sum = 0;
  double squares = 0;
  double sum_double = 0;
  double squares_double = 0;
  int beyond_two = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const double value = normal_float(11, i);
    const double wide = normal_double(11, i);
    REQUIRE(std::isfinite(value));
    REQUIRE(std::isfinite(wide));
    sum += value;
    squares += value * value;
    sum_double += wide;
    squares_double += wide * wide;
    beyond_two += std::abs(value) > 2 ? 1 : 0;
  }
  // Five standard errors of each.
  CHECK(std::abs(sum / kCount) < 5 / std::sqrt(kCount));
  CHECK(std::abs(sum_double / kCount) < 5 / std::sqrt(kCount));
  CHECK(std::abs(squares / kCount - 1) < 5 * std::sqrt(2.0 / kCount));
  CHECK(std::abs(squares_double / kCount - 1) < 5 * std::sqrt(2.0 / kCount));
  CHECK(std::abs(beyond_two / double{kCount} - 0.0455) < 5 * std::sqrt(0.0455 / kCount));
}

TEST_CASE("normal doubles use the low half of their mantissa") {
  int odd = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const double value = normal_double(3, i);
    odd += static_cast<double>(static_cast<float>(value)) != value ? 1 : 0;
  }
  CHECK(odd > 990);
}

TEST_CASE("patterns that flatter are what they say") {
  for (std::uint64_t i = 0; i < 100; ++i) {
    CHECK(value_at(Pattern::kZeros, 1, i) == 0);
    CHECK(value_at(Pattern::kConstant, 1, i) == 1);
    const float integer = value_at(Pattern::kIntegers, 1, i);
    CHECK(integer == std::trunc(integer));
    CHECK(std::abs(integer) <= 4);
    CHECK(value_at(Pattern::kNormal, 1, i) == normal_float(1, i));
  }
}

TEST_CASE("signed bytes are rounded and held in range") {
  CHECK(encode_int8(1.4F) == 1);
  CHECK(encode_int8(-1.6F) == -2);
  CHECK(encode_int8(500) == 127);
  CHECK(encode_int8(-500) == -127);
  CHECK(encode_int8(0) == 0);
}

TEST_CASE("the largest element of a block fits the format after scaling") {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const float largest = std::abs(normal_float(5, i)) + 1e-3F;
    const BlockScale mx = mxfp8_scale(largest);
    // Brought to the top exponent: from 256 up, 448 being the largest that is not cut off.
    CHECK(largest * mx.inverse >= 256);
    CHECK(largest * mx.inverse < 512);
    CHECK(mx.inverse == std::ldexp(1.0F, 127 - mx.bits));
    const BlockScale nv = nvfp4_scale(largest);
    CHECK(decode_e4m3(nv.bits) * nv.inverse == Approx(1));
    // The scale itself is rounded to 3 bits of mantissa, fewer where it is below 2^-6.
    if (largest < 0.1F) continue;
    CHECK(largest * nv.inverse == Approx(kMostE2m1).epsilon(1.0 / 15));
  }
  CHECK(mxfp8_scale(0).bits == 127);
  CHECK(mxfp8_scale(0).inverse == 1);
  CHECK(decode_e4m3(nvfp4_scale(0).bits) == 1);
}

TEST_CASE("shifted scales undo what the elements were multiplied by") {
  for (int shift = 0; shift <= 2; ++shift) {
    const float factor = std::ldexp(1.0F, shift);
    CHECK(mxfp8_shifted(shift).inverse == factor);
    CHECK(std::ldexp(1.0F, mxfp8_shifted(shift).bits - 127) * factor == 1);
    CHECK(nvfp4_shifted(shift).inverse == factor);
    CHECK(decode_e4m3(nvfp4_shifted(shift).bits) * factor == 1);
  }
}

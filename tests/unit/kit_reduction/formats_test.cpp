#include "benches/kit/reduction/formats.hpp"

#include <catch2/catch.hpp>
#include <cmath>

using namespace rackproof::reduction::elements;

TEST_CASE("narrow floating types have the bits of their definitions") {
  // sign, exponent with bias 15, 10 bits of fraction; and so on for the others.
  CHECK(encode<Half>(false, 1, 0) == 0x3c00);
  CHECK(encode<Half>(true, 3, -1) == 0xbe00);
  CHECK(encode<Half>(false, 2047, 0) == 0x67ff);
  CHECK(encode<Bfloat16>(false, 1, 0) == 0x3f80);
  CHECK(encode<Bfloat16>(true, 255, -7) == 0xbfff);
  CHECK(encode<Float8E4M3>(false, 1, 0) == 0x38);
  CHECK(encode<Float8E4M3>(true, 15, 4) == 0xf7);  // -240
  CHECK(encode<Float8E4M3>(false, 7, 6) == 0x7e);  // 448, the largest
  CHECK(encode<Float8E5M2>(false, 1, 0) == 0x3c);
  CHECK(encode<Float8E5M2>(true, 7, 13) == 0xfb);  // -57344, the largest
  CHECK(encode<Half>(true, 0, 5) == 0x8000);
  CHECK(encode<Float8E4M3>(false, 0, 0) == 0);
}

TEMPLATE_TEST_CASE("what is encoded is decoded again for every significand and exponent", "", Half,
                   Bfloat16, Float8E4M3, Float8E5M2, float, double) {
  std::int64_t wrong = 0;
  for (std::uint64_t significand = 0; significand < 1ULL << std::min(kDigits<TestType>, 11);
       ++significand) {
    for (int exponent = -4; exponent <= 4; ++exponent) {
      const double value = std::ldexp(static_cast<double>(significand), exponent);
      if (decode<TestType>(encode<TestType>(false, significand, exponent)) != value) ++wrong;
      if (decode<TestType>(encode<TestType>(true, significand, exponent)) != -value) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("values that are no numbers are told as such") {
  CHECK(std::isnan(decode<Float8E4M3>(0x7f)));
  CHECK(decode<Float8E4M3>(0x7e) == 448);
  CHECK(std::isinf(decode<Float8E5M2>(0x7c)));
  CHECK(std::isnan(decode<Half>(0x7e00)));
  CHECK(decode<Half>(0x0001) == std::ldexp(1.0, -24));
  CHECK(decode<Float8E4M3>(0x81) == -std::ldexp(1.0, -9));
}

TEST_CASE("integers keep their two's complement") {
  CHECK(encode<std::int8_t>(true, 127, 0) == 0x81);
  CHECK(encode<std::uint8_t>(false, 3, 2) == 12);
  CHECK(encode<std::int64_t>(true, 1, 40) == ~0ULL << 40);
}

TEST_CASE("the reciprocal is the nearest number of the type for every group up to 16384") {
  std::int64_t wrong = 0;
  for (std::uint64_t ranks = 1; ranks <= 16'384; ++ranks) {
    const auto value = [](const Mean& mean) {
      return std::ldexp(static_cast<double>(mean.significand), mean.exponent);
    };
    if (value(mean_over<double>(ranks)) != 1.0 / static_cast<double>(ranks)) ++wrong;
    if (value(mean_over<float>(ranks)) != 1.0F / static_cast<float>(ranks)) ++wrong;
    // Rounding twice, by way of float, must not matter: libraries do it.
    const double through = static_cast<float>(1.0 / static_cast<double>(ranks));
    const auto nearest = [&](int digits) {
      int exponent = 0;
      const double part = std::frexp(through, &exponent);
      return std::ldexp(std::nearbyint(std::ldexp(part, digits)), exponent - digits);
    };
    // For half it does from 8283 ranks on, which has_exact_result refuses.
    if (ranks <= 8192 && value(mean_over<Half>(ranks)) != nearest(11)) ++wrong;
    if (value(mean_over<Bfloat16>(ranks)) != nearest(8)) ++wrong;
    if (value(mean_over<Float8E4M3>(ranks)) != nearest(4)) ++wrong;
    if (value(mean_over<Float8E5M2>(ranks)) != nearest(3)) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("the largest mean of integers is the one whose sum still fits") {
  CHECK(mean_over<std::int8_t>(5).significand == 25);
  CHECK(mean_over<std::uint8_t>(255).significand == 1);
  CHECK(mean_over<std::int64_t>(1).significand == 0x7fffffffffffffffULL);
}

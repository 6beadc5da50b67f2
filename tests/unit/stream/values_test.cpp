#include "benches/stream/values.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <set>

using namespace rackproof::stream;

TEST_CASE("start values lie between one and two and differ") {
  std::set<double> seen;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto value = start_value<double>(7, i);
    CHECK((value >= 1 && value < 2));
    seen.insert(value);
  }
  CHECK(seen.size() == 1000);
}

TEST_CASE("a round of the four kernels is exact") {
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const auto start = start_value<float>(3, i);
    float a = start;
    float b = -start;
    float c = -start;
    for (std::int64_t round = 1; round <= kMostRounds<float>; ++round) {
      c = a;
      b = kScalar * c;
      c = a + b;
      a = b + kScalar * c;
      const float wanted[] = {factor_of<float>(0, round), factor_of<float>(1, round),
                              factor_of<float>(2, round)};
      const bool exact = a == start * wanted[0] && b == start * wanted[1] && c == start * wanted[2];
      REQUIRE(exact);
    }
    REQUIRE(std::isfinite(a));
  }
}

TEST_CASE("a dot product of small integers is exact in any order") {
  constexpr std::uint64_t kCount = 20'000;
  double forward = 0;
  double backward = 0;
  std::uint64_t wanted = 0;
  for (std::uint64_t i = 0; i < kCount; ++i) {
    const std::uint64_t j = kCount - 1 - i;
    forward += double{dot_value<float>(5, i)} * double{dot_value<float>(~5ULL, i)};
    backward += double{dot_value<float>(5, j)} * double{dot_value<float>(~5ULL, j)};
    wanted += dot_value<std::uint64_t>(5, i) * dot_value<std::uint64_t>(~5ULL, i);
  }
  CHECK(forward == backward);
  CHECK(forward == static_cast<double>(wanted));
}

TEST_CASE("dot operands are the integers from one to eight") {
  std::set<double> seen;
  for (std::uint64_t i = 0; i < 10'000; ++i) seen.insert(dot_value<double>(1, i));
  CHECK(seen == std::set<double>{1, 2, 3, 4, 5, 6, 7, 8});
}

TEST_CASE("the bytes that a kernel counts are those of the original") {
  CHECK(words_of(Kernel::kCopy) == 2);
  CHECK(words_of(Kernel::kScale) == 2);
  CHECK(words_of(Kernel::kAdd) == 3);
  CHECK(words_of(Kernel::kTriad) == 3);
}

#include "benches/kit/reduction/verifiable.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>
#include <set>
#include <vector>

using namespace rackproof::reduction;

namespace {

template <class T>
struct TypeOf;
// clang-format off
template <> struct TypeOf<std::int8_t> { static constexpr Dtype kDtype = Dtype::kInt8; };
template <> struct TypeOf<std::uint8_t> { static constexpr Dtype kDtype = Dtype::kUint8; };
template <> struct TypeOf<std::int32_t> { static constexpr Dtype kDtype = Dtype::kInt32; };
template <> struct TypeOf<std::uint32_t> { static constexpr Dtype kDtype = Dtype::kUint32; };
template <> struct TypeOf<std::int64_t> { static constexpr Dtype kDtype = Dtype::kInt64; };
template <> struct TypeOf<std::uint64_t> { static constexpr Dtype kDtype = Dtype::kUint64; };
template <> struct TypeOf<float> { static constexpr Dtype kDtype = Dtype::kFloat; };
template <> struct TypeOf<double> { static constexpr Dtype kDtype = Dtype::kDouble; };
// clang-format on

template <class T>
T combine(T a, T b, RedOp redop) {
  switch (redop) {
    case RedOp::kSum:
    case RedOp::kAvg:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
      } else {
        return a + b;
      }
    case RedOp::kProd:
      if constexpr (std::is_integral_v<T>) {
        return static_cast<T>(static_cast<std::uint64_t>(a) * static_cast<std::uint64_t>(b));
      } else {
        return a * b;
      }
    case RedOp::kMin:
      return std::min(a, b);
    case RedOp::kMax:
      break;
  }
  return std::max(a, b);
}

// Pairs up neighbours until one is left: another grouping than one after the other.
template <class T>
T tree(std::vector<T> values, RedOp redop) {
  while (values.size() > 1) {
    std::vector<T> next;
    for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
      next.push_back(combine(values[i], values[i + 1], redop));
    }
    if (values.size() % 2 == 1) next.push_back(values.back());
    values = next;
  }
  return values.front();
}

constexpr std::int64_t kVerifiableCount = 600;  // has three stamps in it
constexpr Seeds kVerifiableSeeds{17, 4};

template <class T>
std::vector<std::vector<T>> inputs(const Pattern& pattern, int ranks) {
  std::vector<std::vector<T>> all(ranks, std::vector<T>(kVerifiableCount));
  for (int rank = 0; rank < ranks; ++rank)
    pattern.input(rank, 0, kVerifiableCount, all[rank].data());
  return all;
}

}  // namespace

TEMPLATE_TEST_CASE("a reduction is exact in every order and grouping", "", std::int8_t,
                   std::uint8_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float,
                   double) {
  constexpr Dtype kDtype = TypeOf<TestType>::kDtype;
  std::mt19937 random(7);
  for (const RedOp redop : {RedOp::kSum, RedOp::kProd, RedOp::kMin, RedOp::kMax}) {
    for (const int ranks : {1, 2, 3, 7, 24, 64, 150}) {
      const Pattern pattern(kDtype, redop, ranks, kVerifiableSeeds);
      const auto all = inputs<TestType>(pattern, ranks);
      std::vector<TestType> want(kVerifiableCount);
      pattern.result(0, kVerifiableCount, want.data());
      std::vector<int> order(ranks);
      std::iota(order.begin(), order.end(), 0);
      std::int64_t wrong = 0;
      for (int turn = 0; turn < 3; ++turn) {
        std::vector<TestType> serial(kVerifiableCount);
        std::vector<TestType> grouped(kVerifiableCount);
        for (std::int64_t i = 0; i < kVerifiableCount; ++i) {
          std::vector<TestType> values;
          for (const int rank : order) values.push_back(all[rank][i]);
          grouped[i] = tree(values, redop);
          serial[i] = std::accumulate(values.begin() + 1, values.end(), values.front(),
                                      [&](TestType a, TestType b) { return combine(a, b, redop); });
        }
        wrong += compare(serial.data(), want.data(), kVerifiableCount, kDtype).wrong;
        wrong += compare(grouped.data(), want.data(), kVerifiableCount, kDtype).wrong;
        std::shuffle(order.begin(), order.end(), random);
      }
      INFO(word(redop) << " over " << ranks);
      CHECK(wrong == 0);
    }
  }
}

TEMPLATE_TEST_CASE("no sum or product of integers overflows, in any part of it", "", std::int8_t,
                   std::uint8_t, std::int32_t, std::uint32_t) {
  for (const RedOp redop : {RedOp::kSum, RedOp::kProd}) {
    for (const int ranks : {2, 3, 5, 40, 100}) {
      const Pattern pattern(TypeOf<TestType>::kDtype, redop, ranks, kVerifiableSeeds);
      const auto all = inputs<TestType>(pattern, ranks);
      std::vector<TestType> want(kVerifiableCount);
      pattern.result(0, kVerifiableCount, want.data());
      std::int64_t wrong = 0;
      for (std::int64_t i = 0; i < kVerifiableCount; ++i) {
        // The largest part there is: all magnitudes together.
        double magnitude = redop == RedOp::kSum ? 0 : 1;
        for (const auto& input : all) {
          const double one = std::abs(static_cast<double>(input[i]));
          magnitude = redop == RedOp::kSum ? magnitude + one : magnitude * one;
        }
        if (magnitude > static_cast<double>(std::numeric_limits<TestType>::max())) ++wrong;
        if (magnitude != std::abs(static_cast<double>(want[i]))) ++wrong;
      }
      INFO(word(redop) << " over " << ranks);
      CHECK(wrong == 0);
    }
  }
}

TEMPLATE_TEST_CASE("a rank that is left out of a sum or product is noticed", "", std::int8_t,
                   std::uint32_t, std::int64_t, float, double) {
  constexpr int kRanks = 5;
  constexpr Dtype kDtype = TypeOf<TestType>::kDtype;
  for (const RedOp redop : {RedOp::kSum, RedOp::kProd, RedOp::kMin, RedOp::kMax}) {
    const Pattern pattern(kDtype, redop, kRanks, kVerifiableSeeds);
    const auto all = inputs<TestType>(pattern, kRanks);
    std::vector<TestType> want(kVerifiableCount);
    pattern.result(0, kVerifiableCount, want.data());
    for (int left_out = 0; left_out < kRanks; ++left_out) {
      std::vector<TestType> got(kVerifiableCount);
      for (std::int64_t i = 0; i < kVerifiableCount; ++i) {
        std::vector<TestType> values;
        for (int rank = 0; rank < kRanks; ++rank) {
          if (rank != left_out) values.push_back(all[rank][i]);
        }
        got[i] = tree(values, redop);
      }
      INFO(word(redop) << " without " << left_out);
      // Most elements of a sum or product; for an extreme, those whose holder is missing.
      CHECK(compare(got.data(), want.data(), kVerifiableCount, kDtype).wrong >
            kVerifiableCount / 10);
    }
  }
}

TEMPLATE_TEST_CASE("floating inputs and results are finite, and vary", "", float, double) {
  for (const RedOp redop : {RedOp::kSum, RedOp::kProd, RedOp::kMin, RedOp::kMax}) {
    const Pattern pattern(TypeOf<TestType>::kDtype, redop, 3, kVerifiableSeeds);
    std::vector<TestType> result(kVerifiableCount);
    pattern.result(0, kVerifiableCount, result.data());
    CHECK(std::set<TestType>(result.begin(), result.end()).size() > kVerifiableCount * 9 / 10);
    for (const auto& one : inputs<TestType>(pattern, 3)) {
      CHECK(std::all_of(one.begin(), one.end(), [](TestType x) { return std::isfinite(x); }));
    }
  }
}

TEST_CASE("any part of an input can be made anywhere") {
  for (const auto redop : {std::optional<RedOp>{}, std::optional<RedOp>{RedOp::kSum}}) {
    const Pattern pattern(Dtype::kFloat, redop, 4, kVerifiableSeeds);
    std::vector<std::uint32_t> whole(2000);
    pattern.input(2, 0, 2000, whole.data());
    for (const std::int64_t first : {1, 255, 256, 257, 511, 1999}) {
      std::vector<std::uint32_t> part(2000 - first);
      pattern.input(2, first, 2000 - first, part.data());
      CHECK(std::equal(part.begin(), part.end(), whole.begin() + first));
    }
  }
}

TEST_CASE("inputs of two ranks, seeds and indices differ") {
  std::vector<std::uint64_t> a(kVerifiableCount);
  std::vector<std::uint64_t> b(kVerifiableCount);
  const Pattern pattern(Dtype::kUint64, std::nullopt, 2, kVerifiableSeeds);
  pattern.input(0, 0, kVerifiableCount, a.data());
  CHECK(std::set<std::uint64_t>(a.begin(), a.end()).size() == kVerifiableCount);
  pattern.input(1, 0, kVerifiableCount, b.data());
  CHECK(compare(a.data(), b.data(), kVerifiableCount, Dtype::kUint64).wrong == kVerifiableCount);
  Pattern(Dtype::kUint64, std::nullopt, 2, {18, 5}).input(0, 0, kVerifiableCount, b.data());
  CHECK(compare(a.data(), b.data(), kVerifiableCount, Dtype::kUint64).wrong == kVerifiableCount);
}

TEST_CASE("a new stamp changes every stride-th element of the input and of the result alone") {
  const Pattern before(Dtype::kInt32, RedOp::kSum, 3, {9, 1});
  const Pattern after(Dtype::kInt32, RedOp::kSum, 3, {9, 2});
  std::vector<std::int32_t> stamped(kVerifiableCount);
  std::vector<std::int32_t> fresh(kVerifiableCount);
  before.input(1, 0, kVerifiableCount, stamped.data());
  after.stamp(1, 0, kVerifiableCount, stamped.data());
  after.input(1, 0, kVerifiableCount, fresh.data());
  CHECK(stamped == fresh);
  std::vector<std::int32_t> old(kVerifiableCount);
  before.result(0, kVerifiableCount, old.data());
  after.result(0, kVerifiableCount, fresh.data());
  const Difference difference = compare(old.data(), fresh.data(), kVerifiableCount, Dtype::kInt32);
  CHECK(difference.wrong == (kVerifiableCount + kStampStride - 1) / kStampStride);
  CHECK(difference.first == 0);
}

TEST_CASE("a pattern that is only moved has no reduction") {
  std::uint64_t one = 0;
  CHECK_THROWS_AS(Pattern(Dtype::kInt64, std::nullopt, 2, kVerifiableSeeds).result(0, 1, &one),
                  std::logic_error);
}

TEST_CASE("comparison is of bits: zeros of two signs differ, equal NaNs do not") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> got{0.0F, nan, 1.0F};
  const std::vector<float> want{-0.0F, nan, 1.0F};
  const Difference difference = compare(got.data(), want.data(), 3, Dtype::kFloat);
  CHECK(difference.wrong == 1);
  CHECK(difference.first == 0);
  CHECK(compare(got.data(), want.data(), 0, Dtype::kFloat).first == -1);
}

TEST_CASE("bits are told with the value they stand for") {
  const float one = 1;
  CHECK(text_of(bits_at(&one, 0, Dtype::kFloat), Dtype::kFloat) == "0x3f800000 (1)");
  const std::vector<std::int8_t> bytes{3, -1};
  CHECK(text_of(bits_at(bytes.data(), 1, Dtype::kInt8), Dtype::kInt8) == "0xff (-1)");
}

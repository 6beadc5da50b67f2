#include "benches/steps/expected.hpp"

#include <catch2/catch.hpp>

#include <limits>

#include "benches/kit/product/operands.hpp"

namespace rackproof::steps {
namespace {

constexpr std::int64_t kBound = 9;

std::vector<float> filled(std::uint64_t seed, std::int64_t count) {
  std::vector<float> values(static_cast<std::size_t>(count));
  product::fill_integers(std::span<float>(values), kBound, seed);
  return values;
}

// Two partial products of 5 x 7 (depths 4 and 6, the second of transposed operands), in plain
// loops.
std::vector<float> summed() {
  const auto a = filled(1, 5 * 4);
  const auto b = filled(2, 4 * 7);
  const auto at = filled(3, 6 * 5);
  const auto bt = filled(4, 7 * 6);
  std::vector<float> c(5 * 7);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 7; ++j) {
      for (std::size_t k = 0; k < 4; ++k) c[i * 7 + j] += a[i * 4 + k] * b[k * 7 + j];
      for (std::size_t k = 0; k < 6; ++k) c[i * 7 + j] += at[k * 5 + i] * bt[j * 6 + k];
    }
  }
  return c;
}

Expected expected_of_summed() {
  const Term plain{{1, 4, kBound}, Drawn{2, 7, kBound}, 4};
  const Term turned{{3, 5, kBound, true}, Drawn{4, 6, kBound, true}, 6};
  return {7, {{5, {plain, turned}}}};
}

}  // namespace

TEST_CASE("each element is the sum of the partial products of all ranks") {
  const auto c = summed();
  const Expected expected = expected_of_summed();
  REQUIRE(expected.rows() == 5);
  for (std::int64_t i = 0; i < 5; ++i) {
    for (std::int64_t j = 0; j < 7; ++j) {
      CHECK(static_cast<float>(expected.at(i, j)) == c[static_cast<std::size_t>(i * 7 + j)]);
    }
  }
  CHECK(wrong_rows(expected, {c.data(), 5, 7}, 42).empty());
}

TEST_CASE("a wrong element is seen in its row: an addend left out, a bit, a NaN, a fraction") {
  const Expected expected = expected_of_summed();
  for (const float wrong : {0.5F, std::numeric_limits<float>::quiet_NaN(), 1e9F,
                            std::numeric_limits<float>::infinity()}) {
    auto c = summed();
    c[3 * 7 + 2] = wrong;
    CHECK(wrong_rows(expected, {c.data(), 5, 7}, 42) == std::vector<std::int64_t>{3});
  }
  auto exchanged = summed();
  std::swap(exchanged[7], exchanged[8]);
  REQUIRE(exchanged[7] != exchanged[8]);
  CHECK(wrong_rows(expected, {exchanged.data(), 5, 7}, 42) == std::vector<std::int64_t>{1});
  Expected one_rank = expected;
  one_rank.blocks[0].terms.pop_back();
  CHECK(wrong_rows(one_rank, {summed().data(), 5, 7}, 42).size() == 5);
}

TEST_CASE("blocks of rows come from different ranks, from the row on that each of them sent") {
  const auto first = filled(5, 6 * 3);
  const auto second = filled(6, 6 * 3);
  std::vector<float> got(first.begin() + 2 * 3, first.begin() + 4 * 3);
  got.insert(got.end(), second.begin() + 3, second.begin() + 2 * 3);
  Drawn from_first{5, 3, kBound};
  from_first.first_row = 2;
  Drawn from_second{6, 3, kBound};
  from_second.first_row = 1;
  const Expected expected{3, {{2, {{from_first}}}, {1, {{from_second}}}}};
  CHECK(expected.rows() == 3);
  CHECK(static_cast<float>(expected.at(2, 1)) == got[7]);
  CHECK(wrong_rows(expected, {got.data(), 3, 3}, 1).empty());
  got[8] += 1;
  CHECK(wrong_rows(expected, {got.data(), 3, 3}, 1) == std::vector<std::int64_t>{2});
}

TEST_CASE("a slice of a transposed matrix is of its stored columns") {
  // A gradient of weights is a product whose first matrix is transposed: 4 x 5 out of 6 x 4 and 6
  // x 5.
  Drawn turned{5, 4, kBound};
  turned.transposed = true;
  const Expected whole{5, {{4, {{turned, Drawn{6, 5, kBound}, 6}}}}};
  const Expected part = slice(whole, 1, 2);
  REQUIRE(part.rows() == 2);
  for (std::int64_t i = 0; i < 2; ++i) {
    for (std::int64_t j = 0; j < 5; ++j) CHECK(part.at(i, j) == whole.at(i + 1, j));
  }
  CHECK(slice(part, 1, 1).at(0, 3) == whole.at(2, 3));
}

}  // namespace rackproof::steps

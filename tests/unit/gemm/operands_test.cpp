#include "benches/kit/product/operands.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <set>
#include <vector>

using namespace rackproof;

TEST_CASE("exact_bound is the largest that keeps every partial sum exact") {
  for (const int bits : {24, 53}) {
    for (const std::int64_t depth : {1, 2, 3, 7, 1000, 4096, 16384, 1 << 20}) {
      const std::int64_t room = std::int64_t{1} << bits;
      const std::int64_t bound = product::exact_bound(depth, bits);
      REQUIRE(bound >= 1);
      CHECK(depth * bound * bound <= room);
      CHECK(depth * (bound + 1) * (bound + 1) > room);
    }
  }
  CHECK(product::exact_bound(std::int64_t{1} << 25, 24) == 0);
}

TEST_CASE("integers stay in their bounds and reach them") {
  std::vector<float> values(10000);
  product::fill_integers(values, 3, 5);
  CHECK(std::set<float>(values.begin(), values.end()) == std::set<float>{-3, -2, -1, 0, 1, 2, 3});
}

TEST_CASE("operands depend on the seed alone") {
  std::vector<double> one(1001), same(1001), other(1001);
  product::fill_normal(one, 7);
  product::fill_normal(same, 7);
  product::fill_normal(other, 8);
  CHECK(one == same);
  CHECK(one != other);
  product::fill_integers(one, 1000, 7);
  product::fill_integers(same, 1000, 7);
  product::fill_integers(other, 1000, 8);
  CHECK(one == same);
  CHECK(one != other);
}

TEST_CASE("normal values have mean 0, variance 1 and are finite") {
  std::vector<double> values(200000);
  product::fill_normal(values, 11);
  double sum = 0, squares = 0;
  for (const double value : values) {
    REQUIRE(std::isfinite(value));
    sum += value;
    squares += value * value;
  }
  const double n = static_cast<double>(values.size());
  CHECK(std::abs(sum / n) < 5 / std::sqrt(n));
  CHECK(std::abs(squares / n - 1) < 5 * std::sqrt(2 / n));
}

TEST_CASE("fresh seeds differ") { CHECK(product::fresh_seed() != product::fresh_seed()); }

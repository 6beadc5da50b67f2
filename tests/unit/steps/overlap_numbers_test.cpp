#include "benches/steps/overlap_numbers.hpp"

#include <catch2/catch.hpp>

#include <stdexcept>

namespace rackproof::steps {
namespace {

std::vector<double> counted_to(int last) {
  std::vector<double> values;
  for (int i = last; i >= 1; --i) values.push_back(i);
  return values;
}

}  // namespace

TEST_CASE("the interval of a median is that of the sign test") {
  // Tables of the sign test at 95 %: n = 6: 1 to 6, n = 15: 4 to 12, n = 20: 6 to 15.
  for (const auto& [count, low, high] :
       {std::tuple{6, 1, 6}, std::tuple{15, 4, 12}, std::tuple{20, 6, 15}}) {
    const Interval interval = median_interval(counted_to(count));
    CHECK(interval.low == low);
    CHECK(interval.high == high);
    CHECK(interval.value == Approx((count + 1) / 2.0));
  }
  CHECK(median_interval({3, 1, 2}).low == 1);
  CHECK(median_interval({3, 1, 2}).high == 3);
  CHECK_THROWS_AS(median_interval({}), std::invalid_argument);
}

TEST_CASE(
    "E is 0 where nothing is hidden, 1 where the shorter is, and negative where both disturb") {
  CHECK(efficiency({3, 2, 5, 3, 5}) == 0);
  CHECK(efficiency({3, 2, 3, 3, 2}) == 1);
  CHECK(efficiency({3, 2, 4, 3.5, 4}) == 0.5);
  CHECK(efficiency({3, 2, 6, 4, 6}) == -0.5);
}

TEST_CASE("taxes are what both together cost each, and exposed is what follows the computing") {
  const std::vector<Round> rounds(7, {4, 2, 5, 4.4, 3});
  const Overlap overlap = overlap_of(rounds);
  CHECK(overlap.efficiency.value == 0.5);
  CHECK(overlap.compute_tax.value == Approx(0.1));
  CHECK(overlap.message_tax.value == 0.5);
  CHECK(overlap.exposed.value == Approx(0.6));
  CHECK(overlap.exposed.low == overlap.exposed.high);
}

}  // namespace rackproof::steps

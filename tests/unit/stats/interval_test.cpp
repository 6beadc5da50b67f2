#include "harness/stats/interval.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <numeric>
#include <random>
#include <stdexcept>

#include "harness/stats/robust.hpp"

namespace stats = rackproof::stats;

namespace {

std::vector<double> one_to(int n) {
  std::vector<double> values(static_cast<std::size_t>(n));
  std::iota(values.begin(), values.end(), 1.0);
  return values;
}

}  // namespace

// The ranks and coverages were computed apart from this code with exact integer binomials:
// sum(math.comb(n, i) * q**i * (1-q)**(n-i) for i in range(k+1)) in Python, ranks by linear search.
TEST_CASE("the interval of a quantile uses the tabulated order statistics") {
  struct Row {
    int n;
    double q;
    double confidence;
    int low;
    int high;
    double coverage;
  };
  const Row row =
      GENERATE(Row{6, .5, .95, 1, 6, 0.96875}, Row{10, .5, .95, 2, 9, 0.978515625},
               Row{15, .5, .95, 4, 12, 0.96484375}, Row{20, .5, .95, 6, 15, 0.9586105346679688},
               Row{100, .5, .95, 40, 61, 0.9647997997822952}, Row{10, .5, .99, 1, 10, 0.998046875},
               Row{100, .9, .95, 84, 96, 0.955690107191223},
               Row{1000, .99, .95, 983, 997, 0.9760947634979772});
  const auto interval = stats::quantile_interval(one_to(row.n), row.q, row.confidence);
  REQUIRE(interval);
  CHECK(interval->low == row.low);
  CHECK(interval->high == row.high);
  CHECK(interval->coverage == Approx(row.coverage).epsilon(1e-9));
}

TEST_CASE("too few values have no interval") {
  for (int n = 1; n <= 5; ++n) CHECK_FALSE(stats::median_interval(one_to(n), 0.95));
  CHECK(stats::median_interval(one_to(6), 0.95));
  CHECK_FALSE(stats::median_interval(one_to(7), 0.99));
  CHECK(stats::median_interval(one_to(8), 0.99));
  CHECK_FALSE(stats::quantile_interval(one_to(100), 0.99, 0.95));
  CHECK_FALSE(stats::quantile_interval(one_to(100), 0.01, 0.95));
}

TEST_CASE("the order of the values does not matter") {
  CHECK(stats::median_interval({6, 2, 4, 1, 3, 5}, 0.95) ==
        stats::median_interval(one_to(6), 0.95));
}

TEST_CASE("the interval of a low quantile mirrors the high one") {
  const auto low = stats::quantile_interval(one_to(1000), 0.01, 0.95);
  REQUIRE(low);
  CHECK(low->low == 1001 - 997);
  CHECK(low->high == 1001 - 983);
}

TEST_CASE("the interval of the median holds what it promises for a skewed distribution") {
  std::mt19937_64 random(7);
  std::exponential_distribution<double> skewed(1);
  const double truth = std::log(2.0);
  int held = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<double> values(20);
    for (double& value : values) value = skewed(random);
    const auto interval = stats::median_interval(values, 0.95);
    held += interval && interval->low <= truth && truth <= interval->high ? 1 : 0;
  }
  // 0.9586 expected; five standard deviations of the count are 0.022.
  CHECK(held > 2000 * 0.936);
  CHECK(held < 2000 * 0.981);
}

TEST_CASE("the t interval of the mean") {
  // mean 41.08, standard error 0.13564660, t(0.975; 4) = 2.776445105 by numeric integration of the
  // density in Python.
  const auto interval = stats::mean_interval({41.2, 40.9, 41.5, 41.1, 40.7}, 0.95);
  REQUIRE(interval);
  CHECK(interval->low == Approx(40.703384662).epsilon(1e-9));
  CHECK(interval->high == Approx(41.456615338).epsilon(1e-9));
  CHECK_FALSE(stats::mean_interval({1}, 0.95));
  const auto flat = stats::mean_interval({2, 2, 2}, 0.95);
  REQUIRE(flat);
  CHECK(flat->low == 2);
  CHECK(flat->high == 2);
}

TEST_CASE("intervals refuse what cannot be meant") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(stats::median_interval({}, 0.95), std::invalid_argument);
  CHECK_THROWS_AS(stats::median_interval({1, nan}, 0.95), std::invalid_argument);
  CHECK_THROWS_AS(stats::mean_interval({}, 0.95), std::invalid_argument);
  CHECK_THROWS_AS(stats::mean_interval({1, nan}, 0.95), std::invalid_argument);
  for (const double bad : {0.0, 1.0, -1.0, 95.0, nan}) {
    CHECK_THROWS_AS(stats::median_interval(one_to(10), bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::mean_interval(one_to(10), bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::quantile_interval(one_to(10), bad, 0.95), std::invalid_argument);
  }
}

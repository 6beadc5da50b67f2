#include "harness/stats/multiplicity.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <random>
#include <stdexcept>

namespace stats = rackproof::stats;
using stats::Rejection;

namespace {

std::vector<double> adjusted(const std::vector<Rejection>& rejected) {
  std::vector<double> values;
  for (const Rejection& one : rejected) values.push_back(one.adjusted);
  return values;
}

std::vector<std::size_t> indices(const std::vector<Rejection>& rejected) {
  std::vector<std::size_t> values;
  for (const Rejection& one : rejected) values.push_back(one.index);
  return values;
}

}  // namespace

// The 15 p-values of Benjamini and Hochberg's own example (1995, section 4.1): at 0.05 their
// procedure rejects the four smallest, Bonferroni's and Holm's the three smallest.
TEST_CASE("the example of the paper gives what the paper says") {
  const std::vector<double> p = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000};
  CHECK(indices(stats::benjamini_hochberg(p, 0.05)) == std::vector<std::size_t>{0, 1, 2, 3});
  CHECK(indices(stats::holm(p, 0.05)) == std::vector<std::size_t>{0, 1, 2});
}

// By hand. Holm: 4 x 0.005, 3 x 0.01, 2 x 0.03, 1 x 0.04 and the running maximum. Benjamini and
// Hochberg: 4 x 0.005 / 1, 4 x 0.01 / 2, 4 x 0.03 / 3, 4 x 0.04 / 4 and the running minimum from
// above.
TEST_CASE("adjusted p-values follow the definitions") {
  const std::vector<double> p = {0.01, 0.04, 0.03, 0.005};
  CHECK(indices(stats::holm(p, 0.1)) == std::vector<std::size_t>{0, 1, 2, 3});
  const std::vector<double> step_down = adjusted(stats::holm(p, 0.1));
  CHECK(step_down[0] == Approx(0.03));
  CHECK(step_down[1] == Approx(0.06));
  CHECK(step_down[2] == Approx(0.06));
  CHECK(step_down[3] == Approx(0.02));
  const std::vector<double> step_up = adjusted(stats::benjamini_hochberg(p, 0.1));
  CHECK(step_up[0] == Approx(0.02));
  CHECK(step_up[1] == Approx(0.04));
  CHECK(step_up[2] == Approx(0.04));
  CHECK(step_up[3] == Approx(0.02));
}

TEST_CASE("a p-value that fails alone can stand among smaller ones") {
  CHECK(stats::benjamini_hochberg({0.04, 1, 1}, 0.05).empty());
  CHECK(stats::benjamini_hochberg({0.04, 0.01, 0.02}, 0.05).size() == 3);
  CHECK(stats::holm({0.04, 0.01, 0.03}, 0.05).size() == 1);
}

TEST_CASE("nothing is rejected of nothing, and bad numbers are refused") {
  CHECK(stats::holm({}, 0.05).empty());
  CHECK(stats::benjamini_hochberg({}, 0.05).empty());
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {0.0, 1.0, -0.1, nan}) {
    CHECK_THROWS_AS(stats::holm({0.1}, bad), std::invalid_argument);
    CHECK_THROWS_AS(stats::benjamini_hochberg({0.1}, bad), std::invalid_argument);
  }
  for (const double bad : {-0.1, 1.1, nan}) {
    CHECK_THROWS_AS(stats::holm({0.1, bad}, 0.05), std::invalid_argument);
    CHECK_THROWS_AS(stats::benjamini_hochberg({0.1, bad}, 0.05), std::invalid_argument);
  }
}

TEST_CASE("error rates hold for independent tests") {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> uniform(0, 1);
  const int runs = 4000;
  int holm_false = 0;
  double false_share = 0;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> p(50);
    for (double& one : p) one = uniform(random);
    for (std::size_t i = 0; i < 10; ++i) p[i] *= 1e-5;  // these are no healthy ones
    const auto is_false = [](const Rejection& one) { return one.index >= 10; };
    const auto strict = stats::holm(p, 0.05);
    holm_false += std::any_of(strict.begin(), strict.end(), is_false) ? 1 : 0;
    const auto found = stats::benjamini_hochberg(p, 0.05);
    const auto wrong = std::count_if(found.begin(), found.end(), is_false);
    if (!found.empty()) {
      false_share += static_cast<double>(wrong) / static_cast<double>(found.size());
    }
  }
  // 0.05 and 0.05 x 40 / 50 = 0.04 are expected; five standard deviations are 0.017.
  CHECK(holm_false < runs * 0.067);
  CHECK(holm_false > runs * 0.033);
  CHECK(false_share < runs * 0.05);
  CHECK(false_share > runs * 0.03);
}

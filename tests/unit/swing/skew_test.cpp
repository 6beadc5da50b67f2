#include "benches/swing/skew.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace rackproof::swing {

TEST_CASE("skew is the latest less the earliest of a beat") {
  const Skew skew = skew_of({{1.0, 2.0, 3.0}, {1.5, 2.25, 3.0}, {1.25, 2.0, 3.125}});
  CHECK(skew.per_beat == std::vector<double>{0.5, 0.25, 0.125});
  CHECK(skew.p50 == 0.25);
  CHECK(skew.p99 == 0.5);
  CHECK(skew.worst == 0.5);
}

TEST_CASE("the worst rank is the one off in most beats, not in the worst one") {
  std::vector<std::vector<double>> instants(4, std::vector<double>(100));
  for (std::size_t beat = 0; beat < 100; ++beat) {
    for (auto& rank : instants) rank[beat] = static_cast<double>(beat);
    instants[2][beat] -= 0.001;
  }
  instants[0][50] += 0.1;
  const Skew skew = skew_of(instants);
  CHECK(skew.worst_rank == 2);
  CHECK(skew.worst_lag == Approx(-0.001));
  CHECK(skew.worst == Approx(0.101));
  CHECK(skew.p50 == Approx(0.001));
}

TEST_CASE("no ranks, no beats and rows of unlike length are refused") {
  CHECK_THROWS_AS(skew_of({}), std::invalid_argument);
  CHECK_THROWS_AS(skew_of({{}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(skew_of({{1, 2}, {1}}), std::invalid_argument);
}

}  // namespace rackproof::swing

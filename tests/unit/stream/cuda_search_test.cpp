#include "benches/stream/cuda_search.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

using namespace rackproof::stream;

TEST_CASE("ways within two percent of the fastest are tried again, the fastest first") {
  const SecondsByWay seconds = {
      {1.021, 1.021, 1.021}, {1.015, 1.015, 1.015}, {1, 1, 1}, {3, 1.01, 1.01}};
  CHECK(finalists(seconds) == std::vector<std::size_t>{2, 3, 1});
  CHECK(finalists({{5}}) == std::vector<std::size_t>{0});
}

TEST_CASE("four ways at most are tried again") {
  CHECK(finalists({{1.005}, {1.004}, {1.003}, {1.002}, {1.001}, {1}}) ==
        std::vector<std::size_t>{5, 4, 3, 2});
}

TEST_CASE("the median chooses, and not a lucky sample") {
  const SecondsByWay seconds = {{0.5, 1.1, 1.1, 1.1, 1.1}, {1, 1, 1, 1, 1.2}};
  const Found found = decide(seconds, {0, 1});
  CHECK(found.best == 1);
  CHECK(found.seconds == std::vector<double>{1.1, 1});
  CHECK(found.lead == Approx(0.1));
}

TEST_CASE("the noise is how far the middle half of the times lies around their median") {
  const Found found = decide({{1.1, 0.9, 1, 1.2, 0.8, 7, 0.1, 1}}, {0});
  CHECK(found.noise == Approx((1.1 - 0.8) / 2));
  CHECK(found.lead == 0);
  CHECK(decide({{2, 2, 2}}, {0}).noise == 0);
}

TEST_CASE("only what was tried again is chosen, and what all reached is told") {
  const Found found = decide({{1}, {2, 2}, {3, 3}}, {2, 1});
  CHECK(found.best == 1);
  CHECK(found.seconds == std::vector<double>{1, 2, 3});
  CHECK(found.lead == Approx(0.5));
}

TEST_CASE("every way is tried in turns, and those that come close more often") {
  const Way a{Walk::kElement, 0, 1, 1024, 0};
  const Way b{Walk::kTile, 16, 2, 512, 0};
  const Way c{Walk::kTile, 16, 4, 512, 0};
  std::map<std::pair<std::size_t, std::string>, int> tried;
  const auto time = [&](const Runs& runs) {
    std::vector<double> seconds;
    for (const Run& run : runs) {
      const int before = tried[{run.kernel, name_of(run.way)}]++;
      // The first time counts nothing. Of kernel 0 way c begins well and is slower then.
      if (before == 0) {
        seconds.push_back(1e-9);
      } else if (run.way == a) {
        seconds.push_back(run.kernel == 0 ? 2 : 1);
      } else {
        seconds.push_back(run.way == b ? 1 : before <= 3 ? 0.995 : 1.1);
      }
    }
    return seconds;
  };
  const std::vector<Found> found = search({{a, b, c}, {a}}, 3, time);
  REQUIRE(found.size() == 2);
  CHECK(found[0].best == 1);
  CHECK(found[0].seconds == std::vector<double>{2, 1, 1.1});
  CHECK(found[1].best == 0);
  CHECK(found[1].seconds == std::vector<double>{1});
  CHECK(tried[{0, name_of(a)}] == 1 + 3);
  CHECK(tried[{0, name_of(b)}] == 1 + 3 + 4 * 3);
  CHECK(tried[{0, name_of(c)}] == 1 + 3 + 4 * 3);
  CHECK(tried[{1, name_of(a)}] == 1 + 3);
}

TEST_CASE("a search among nothing is an error in the bench") {
  CHECK_THROWS_AS(finalists({}), std::invalid_argument);
  CHECK_THROWS_AS(finalists({{1}, {}}), std::invalid_argument);
  CHECK_THROWS_AS(decide({{1}}, {}), std::invalid_argument);
}

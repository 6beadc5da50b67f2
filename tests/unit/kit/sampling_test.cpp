#include "benches/kit/sampling.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::kit;

TEST_CASE("warm-up runs are not samples") {
  int runs = 0;
  const auto seconds = sample_seconds({3, 5, 100, 0}, [&] { ++runs; });
  CHECK(runs == 8);
  CHECK(seconds.size() == 5);
}

TEST_CASE("sampling goes on until enough time has passed, up to the most samples") {
  const auto busy = [] {
    const double start = now_seconds();
    while (now_seconds() - start < 1e-4) {
    }
  };
  CHECK(sample_seconds({0, 1, 1000, 2e-3}, busy).size() > 1);
  CHECK(sample_seconds({0, 1, 4, 1000}, busy).size() == 4);
}

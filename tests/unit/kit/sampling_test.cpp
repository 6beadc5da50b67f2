#include "benches/kit/sampling.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::kit;

TEST_CASE("warm-up runs are not samples") {
  int runs = 0;
  const auto seconds = sample_seconds({3, 5, 100, 0}, [&] { ++runs; });
  CHECK(runs == 8);
  CHECK(seconds.size() == 5);
}

TEST_CASE("sampling goes on until enough time has passed") {
  // The sum decides, not the count: a run that the scheduler interrupts may alone last long enough.
  const auto seconds = sample_seconds({0, 1, 1'000'000, 2e-3}, [] {});
  double all = 0;
  for (double one : seconds) all += one;
  CHECK(all >= 2e-3);
  CHECK(all - seconds.back() < 2e-3);
}

TEST_CASE("sampling ends with the most samples, however short they were") {
  CHECK(sample_seconds({0, 1, 4, 1000}, [] {}).size() == 4);
}

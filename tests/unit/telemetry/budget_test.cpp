#include "harness/telemetry/budget.hpp"

#include <catch2/catch.hpp>

namespace rackproof::telemetry {
namespace {

unsigned after(Budget& budget, int samples, double seconds) {
  unsigned stretch = 0;
  for (int i = 0; i < samples; ++i) stretch = budget.after_sample(seconds);
  return stretch;
}

}  // namespace

TEST_CASE("samples within the budget are taken at each interval") {
  Budget budget(100e-6);
  CHECK(after(budget, 160, 99e-6) == 1);
}

TEST_CASE("samples that cost more come less often, by as much") {
  Budget budget(100e-6);
  CHECK(after(budget, 31, 250e-6) == 1);
  CHECK(after(budget, 1, 250e-6) == 3);
  CHECK(after(budget, 32, 750e-6) == 8);
  CHECK(after(budget, 32, 1) == 100);
}

TEST_CASE("one dear sample changes nothing") {
  Budget budget(100e-6);
  budget.after_sample(700e-6);
  CHECK(after(budget, 63, 50e-6) == 1);
}

TEST_CASE("cheaper samples come more often again, but not for a little") {
  Budget budget(100e-6);
  after(budget, 32, 210e-6);
  CHECK(budget.stretch() == 3);
  CHECK(after(budget, 32, 195e-6) == 3);
  CHECK(after(budget, 32, 150e-6) == 2);
  CHECK(after(budget, 32, 20e-6) == 1);
}

}  // namespace rackproof::telemetry

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
  CHECK(after(budget, 250, 99e-6) == 1);
}

TEST_CASE("samples that cost more come less often, by as much") {
  Budget budget(100e-6);
  CHECK(after(budget, 99, 150e-6) == 1);
  CHECK(after(budget, 1, 150e-6) == 2);
  CHECK(after(budget, 100, 290e-6) == 3);
}

TEST_CASE("samples that cost far too much come less often soon") {
  Budget budget(100e-6);
  CHECK(after(budget, 7, 3.65e-3) == 1);
  CHECK(after(budget, 1, 3.65e-3) == 37);
  CHECK(after(budget, 8, 1) == 100);
}

TEST_CASE("one dear sample changes nothing, as each hundredth is") {
  Budget budget(100e-6);
  budget.after_sample(1);
  CHECK(after(budget, 6, 50e-6) == 1);
  Budget other(300e-6);
  for (int i = 0; i < 5; ++i) {
    CHECK(after(other, 99, 200e-6) == 1);
    CHECK(after(other, 1, 4e-3) == 1);
  }
}

TEST_CASE("cheaper samples come more often again, but not for a little") {
  Budget budget(100e-6);
  after(budget, 100, 199e-6);
  after(budget, 100, 210e-6);
  CHECK(budget.stretch() == 3);
  CHECK(after(budget, 100, 195e-6) == 3);
  CHECK(after(budget, 100, 150e-6) == 2);
  CHECK(after(budget, 100, 20e-6) == 1);
}

}  // namespace rackproof::telemetry

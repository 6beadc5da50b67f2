#include "harness/budget/risk.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace rackproof::budget {
namespace {

budget::FaultTable table() {
  budget::FaultTable table;
  table.days = 10;
  table.parts = {{"gpu", 100.0}, {"host", 10.0}};
  table.faults = {{"a", "a", "gpu", 5, {}}, {"b", "b", "gpu", 15, {}}, {"c", "c", "host", 1, {}}};
  return table;
}

TEST_CASE("faults are expected by the number of parts, their rate and the time") {
  const Machine machine{4, 8, 0, 30};
  const auto expected = expected_faults(table(), machine, {});
  REQUIRE(expected.size() == 3);
  CHECK(expected[0] == Approx(32 * (1 - std::exp(-0.005 * 30))));
  CHECK(expected[1] == Approx(32 * (1 - std::exp(-0.015 * 30))));
  CHECK(expected[2] == Approx(4 * (1 - std::exp(-0.01 * 30))));
  CHECK(parts_of(machine, "gpu") == 32);
  CHECK(parts_of(machine, "host") == 4);
  CHECK(parts_of(machine, "nic") == 0);
}

TEST_CASE("a ledger scales the rates of its kind of part, the more the longer it is") {
  const Machine machine{1, 1, 0, 0.001};  // short: what is expected is the rate times the time
  const auto rate_of_gpus = [&](double failures, double days) {
    const auto expected = expected_faults(table(), machine, {{"gpu", {failures, days}}});
    CHECK(expected[1] == Approx(3 * expected[0]).epsilon(1e-3));
    CHECK(expected[2] == Approx(0.01 * 0.001).epsilon(1e-4));
    return (expected[0] + expected[1]) / 0.001;
  };
  CHECK(rate_of_gpus(0, 0) == Approx(0.02).epsilon(1e-4));
  CHECK(rate_of_gpus(0, 1) == Approx(0.5 / (0.5 / 0.02 + 1)).epsilon(1e-4));
  CHECK(rate_of_gpus(100, 1e5) == Approx(0.001).epsilon(0.01));
  CHECK(rate_of_gpus(1e5, 1e5) == Approx(1).epsilon(0.01));
}

}  // namespace
}  // namespace rackproof::budget

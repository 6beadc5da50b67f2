// The promise of the suites about fabrics, in part; `matrix 100` plays the whole.
#include "tests/matrix/matrix.hpp"

#include <catch2/catch.hpp>

namespace matrix = rackproof::matrix;

TEST_CASE("no healthy fabric is rejected, and none at half its speed or less is accepted") {
  matrix::Plan plan;
  plan.hosts = {1, 4};
  plan.seeds = 4;
  plan.slow_seeds = 1;
  int limited = 0;
  for (const matrix::Row& row : matrix::play(plan, nullptr)) {
    INFO(row.table << " " << row.suite << " " << row.hosts << ": " << row.healthy.first_reason
                   << row.slow.first_reason);
    CHECK(row.healthy.rejected == 0);
    CHECK(row.healthy.incomplete == 0);
    CHECK(row.slow.accepted == 0);
    if (row.limited) CHECK(row.slow.rejected == row.slow.all());
    limited += row.limited ? 1 : 0;
  }
  CHECK(limited > 100);
}

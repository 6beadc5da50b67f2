// Usage: matrix [SEEDS [TABLE]]: each shipped table with GPUs, healthy and with a slow fabric.
#include <cstdio>
#include <cstdlib>

#include "tests/matrix/matrix.hpp"

namespace matrix = rackproof::matrix;

namespace {

void say(const matrix::Row& row) {
  std::puts(matrix::to_text(row).c_str());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  matrix::Plan plan;
  if (argc > 1) plan.seeds = std::atoi(argv[1]);
  if (argc > 2) plan.only = argv[2];
  std::puts("| table | suite | hosts | healthy | at 0.5 and 0.1 |\n|---|---|---|---|---|");
  matrix::Tally healthy;
  matrix::Tally slow;
  matrix::Tally unlimited;
  for (const matrix::Row& row : matrix::play(plan, say)) {
    healthy.add(row.healthy);
    (row.limited ? slow : unlimited).add(row.slow);
  }
  std::printf(
      "\nhealthy: %s\nslow, where each claim has a limit: %s\nslow, where one has none: %s\n",
      matrix::to_text(healthy).c_str(), matrix::to_text(slow).c_str(),
      matrix::to_text(unlimited).c_str());
  return healthy.rejected + slow.accepted + unlimited.accepted == 0 ? 0 : 1;
}

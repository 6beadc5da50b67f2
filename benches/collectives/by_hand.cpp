#include "benches/collectives/by_hand.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "benches/collectives/mpi.hpp"
#include "benches/collectives/speak.hpp"
#include "benches/kit/mpi/by_hand.hpp"

namespace rackproof::collectives {

int run_by_hand(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  Config config;
  const kit::Bench bench = mpi_bench(config);
  // Kept before MPI starts, which may print.
  const int rows = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  return kit::mpi::run_by_hand(
      argc, argv, bench, [&] { return speak(argc, argv, bench, wants_records(arguments), rows); });
}

}  // namespace rackproof::collectives

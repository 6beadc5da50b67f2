#pragma once

#include "benches/kit/bench.hpp"

namespace rackproof::kit::mpi {

/// The whole of the main of a bench that is started under a launcher by hand: starts MPI, runs
/// `bench` on every rank (one without a launcher), ends MPI and gives back the exit code. Rank 0
/// prints, and its exit code is the bench's; the others end with 0, and with MPI_Abort when they
/// fail alone.
/// --help, --version and --describe answer without MPI.
int run_by_hand(int argc, char** argv, const Bench& bench);

}  // namespace rackproof::kit::mpi

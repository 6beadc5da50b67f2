#pragma once

#include <functional>

#include "benches/kit/bench.hpp"
#include "benches/kit/mpi/mpi.hpp"

namespace rackproof::kit::mpi {

/// The whole of the main of a bench that is started under a launcher by hand: starts MPI, runs
/// `bench` on every rank (one without a launcher), ends MPI and gives back the exit code. Rank 0
/// prints, and its exit code is the bench's; the others end with 0. A rank that fails while others
/// do not come to their ends, as they wait for it, ends them with MPI_Abort.
/// --help, --version and --describe answer without MPI. `first_rank` is what rank 0 does instead of
/// bench_main, with MPI started, for a bench with a table of its own; `callers` who will call MPI.
int run_by_hand(int argc, char** argv, const Bench& bench,
                const std::function<int()>& first_rank = nullptr,
                Callers callers = Callers::kOneThread);

}  // namespace rackproof::kit::mpi

#pragma once

namespace rackproof::collectives {

/// The whole of collectives-mpi: starts MPI, measures with all ranks of the launcher (one without a
/// launcher), ends MPI and gives back the exit code. Rank 0 prints, rows as nccl-tests does or
/// records, and its exit code is the bench's; the others end with 0. --help, --version and
/// --describe answer without MPI.
int run_by_hand(int argc, char** argv);

}  // namespace rackproof::collectives

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benches/protocol/emit.hpp"
#include "contract/exit_code.hpp"
#include "contract/progress_page.hpp"

namespace rackproof::collectives {

/// A bench that runs inside the ranks, because only a launcher can make MPI processes.
struct InRankBench {
  std::string name;     ///< "collectives"
  std::string backend;  ///< "mpi"
  /// Measures with all ranks of MPI_COMM_WORLD, every one of which must call it with the same
  /// arguments after MPI_Init, from the thread that called that. Rank 0 says everything to its
  /// `sink`; the others say `hello`, `phase` and `end` to theirs. Neither initialises nor finalises
  /// MPI; works on a communicator of its own. Each rank tells in its `page` how far it is, unless
  /// that is null.
  std::function<contract::ExitCode(const std::vector<std::string>& arguments,
                                   const protocol::Sink& sink, const std::string& nonce,
                                   contract::ProgressPage* page)>
      run;
};

/// What can run inside ranks.
std::vector<InRankBench> in_rank_benches();

}  // namespace rackproof::collectives

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "benches/kit/bench.hpp"

namespace rackproof::kit::mpi {

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

/// The bench that `make` describes around what its command line fills, anew for each run.
template <class Config>
InRankBench in_rank(Bench (*make)(Config&)) {
  Config unused;
  const Bench bench = make(unused);
  return {bench.name, bench.backend,
          [make](const std::vector<std::string>& arguments, const protocol::Sink& sink,
                 const std::string& nonce, contract::ProgressPage* page) {
            Config config;
            return run_bench(arguments, make(config), sink, nonce, page);
          }};
}

}  // namespace rackproof::kit::mpi

#include "benches/pairs/mpi.hpp"

#include <memory>

#include "benches/kit/mpi/mpi.hpp"
#include "benches/pairs/in_rank.hpp"
#include "benches/pairs/mpi_transport.hpp"

namespace rackproof::pairs {
namespace {

contract::ExitCode run_in_rank(const std::vector<std::string>& arguments,
                               const protocol::Sink& sink, const std::string& nonce,
                               contract::ProgressPage* page) {
  Config config;
  return kit::run_bench(arguments, mpi_bench(config), sink, nonce, page);
}

}  // namespace

kit::Bench mpi_bench(Config& config) {
  kit::Bench bench;
  bench.name = "pairs";
  bench.backend = "mpi";
  bench.summary = "Bandwidth and latency between every two MPI ranks, every word proved.";
  bench.example = "mpirun -n 4 pairs-mpi --sizes 8,1M";
  bench.declare = [&config](kit::Options& options) { declare(options, config); };
  bench.libraries = kit::mpi::library;
  bench.run = [&config](kit::Session& session) {
    std::unique_ptr<Transport> transport;
    session.progress().begin("bringing up the group", 0);
    session.progress().exchange([&] { transport = make_mpi_transport(); });
    measure(*transport, config, session);
  };
  return bench;
}

std::vector<InRankBench> in_rank_benches() { return {{"pairs", "mpi", run_in_rank}}; }

}  // namespace rackproof::pairs

#include "benches/pairs/mpi.hpp"

#include <memory>

#include "benches/kit/mpi/mpi.hpp"
#include "benches/pairs/mpi_transport.hpp"

namespace rackproof::pairs {

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

}  // namespace rackproof::pairs

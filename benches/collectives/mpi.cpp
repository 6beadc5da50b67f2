#include "benches/collectives/mpi.hpp"

#include <memory>

#include "benches/collectives/mpi_transport.hpp"
#include "benches/kit/mpi/mpi.hpp"

namespace rackproof::collectives {

kit::Bench mpi_bench(Config& config) {
  kit::Bench bench;
  bench.name = "collectives";
  bench.backend = "mpi";
  bench.summary = "Time and bandwidth of MPI collectives, every result verified";
  bench.example = "mpirun -n 2 collectives-mpi --ops all_reduce,all_gather --end 64M";
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

}  // namespace rackproof::collectives

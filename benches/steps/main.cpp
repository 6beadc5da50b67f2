#include "benches/kit/blas/kernels.hpp"
#include "benches/kit/mpi/by_hand.hpp"
#include "benches/steps/host.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  blas::fit_kernels(argv);
  steps::Config config;
  return kit::mpi::run_by_hand(argc, argv, steps::host_bench(config), nullptr,
                               kit::mpi::Callers::kOneAtATime);
}

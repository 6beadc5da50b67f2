#include "benches/kit/mpi/by_hand.hpp"
#include "benches/pairs/mpi.hpp"

int main(int argc, char** argv) {
  rackproof::pairs::Config config;
  return rackproof::kit::mpi::run_by_hand(argc, argv, rackproof::pairs::mpi_bench(config));
}

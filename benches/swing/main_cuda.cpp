#include "benches/kit/mpi/by_hand.hpp"
#include "benches/swing/cuda.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  swing::Config config;
  return kit::mpi::run_by_hand(argc, argv, swing::cuda_bench(config));
}

#include "benches/steps/nccl.hpp"

int main(int argc, char** argv) {
  rackproof::steps::NcclConfig config;
  return rackproof::kit::bench_main(argc, argv, rackproof::steps::nccl_bench(config));
}

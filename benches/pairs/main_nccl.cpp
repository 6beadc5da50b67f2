#include "benches/pairs/nccl.hpp"

int main(int argc, char** argv) {
  rackproof::pairs::NcclSettings settings;
  return rackproof::kit::bench_main(argc, argv, rackproof::pairs::nccl_bench(settings));
}

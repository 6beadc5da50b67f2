#include "benches/align/cuda.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/cuda/device.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  align::CudaSettings settings;
  kit::Bench bench;
  bench.name = "align";
  bench.backend = "cuda";
  bench.summary = "Rate of local sequence alignment (Smith-Waterman) on a GPU, every score proved.";
  bench.example = "align-cuda --device 0 --matrix BLOSUM62 --gap 11,1";
  bench.declare = [&](kit::Options& options) { align::declare_cuda(options, settings); };
  bench.libraries = kit::cuda::libraries;
  bench.fault = [&] { return align::fault_name(settings); };
  bench.run = [&](kit::Session& session) { align::measure_cuda(settings, session); };
  return kit::bench_main(argc, argv, bench);
}

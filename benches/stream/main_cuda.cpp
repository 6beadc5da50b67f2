#include "benches/kit/bench.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/stream/cuda.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  stream::CudaSettings settings;
  kit::Bench bench;
  bench.name = "stream";
  bench.backend = "cuda";
  bench.summary =
      "Memory bandwidth of a GPU: copy, scale, add, triad and dot, every element proved.";
  bench.example = "stream-cuda --device 0 --iterations 100";
  bench.declare = [&](kit::Options& options) { stream::declare_cuda(options, settings); };
  bench.libraries = kit::cuda::libraries;
  bench.run = [&](kit::Session& session) { stream::measure_cuda(settings, session); };
  return kit::bench_main(argc, argv, bench);
}

#include "benches/burn/cuda.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cuda/device.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  burn::CudaSettings settings;
  kit::Bench bench;
  bench.name = "burn";
  bench.backend = "cuda";
  bench.summary =
      "Multiplies matrices on a GPU without pause; every bit of every result is proved.";
  bench.example = "burn-cuda --dtype bf16,fp64 --seconds 600";
  bench.declare = [&](kit::Options& options) {
    kit::cuda::declare_device(options, settings.device);
    burn::declare_cuda(options, settings);
  };
  bench.libraries = cublas::libraries;
  bench.libraries_of_device = true;
  bench.run = [&](kit::Session& session) { burn::measure_cuda(settings, session); };
  bench.fault = [&] { return burn::fault_name(settings); };
  return kit::bench_main(argc, argv, bench);
}

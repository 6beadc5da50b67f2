#include "benches/gemm/cuda.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cuda/device.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  gemm::CudaSettings settings;
  kit::Bench bench;
  bench.name = "gemm";
  bench.backend = "cuda";
  bench.summary = "Matrix products on a GPU through cuBLASLt: sustained rate, every result proved.";
  bench.example = "gemm-cuda --dtype bf16,fp8_e4m3 --shapes transformer --seconds 10";
  bench.declare = [&](kit::Options& options) {
    kit::cuda::declare_device(options, settings.device);
    gemm::declare_cuda(options, settings);
  };
  bench.libraries = cublas::libraries;
  bench.libraries_of_device = true;
  bench.run = [&](kit::Session& session) { gemm::measure_cuda(settings, session); };
  return kit::bench_main(argc, argv, bench);
}

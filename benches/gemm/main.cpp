#include "benches/gemm/gemm.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/blas/kernels.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  blas::fit_kernels(argv);
  gemm::Settings settings;
  kit::Bench bench;
  bench.name = "gemm";
  bench.backend = "host";
  bench.summary = "Matrix products through CBLAS: rate of each call, every result proved.";
  bench.example = "gemm-host --dtype fp64 --shape 4096,16384x1024x1024 --seconds 5";
  bench.declare = [&](kit::Options& options) { gemm::declare(options, settings); };
  bench.libraries = blas::libraries;
  bench.refusal = blas::refusal;
  bench.run = [&](kit::Session& session) {
    settings.conditions = blas::demand_fit(session);
    gemm::measure(settings, session);
  };
  return kit::bench_main(argc, argv, bench);
}

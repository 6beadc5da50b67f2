#include "benches/burn/burn.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/blas/cblas.hpp"
#include "benches/kit/blas/kernels.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  blas::fit_kernels(argv);
  burn::Settings settings;
  kit::Bench bench;
  bench.name = "burn";
  bench.backend = "host";
  bench.summary = "Multiplies matrices on all cores without pause; every result is proved.";
  bench.example = "burn-host --seconds 600 --memory-fraction 0.8";
  bench.declare = [&](kit::Options& options) { burn::declare(options, settings); };
  bench.libraries = blas::libraries;
  bench.refusal = blas::refusal;
  bench.run = [&](kit::Session& session) {
    settings.conditions = blas::demand_fit(session);
    burn::measure(settings, session);
  };
  return kit::bench_main(argc, argv, bench);
}

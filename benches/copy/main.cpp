#include "benches/copy/copy.hpp"
#include "benches/kit/bench.hpp"
#include "benches/kit/cuda/device.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  copy::Settings settings;
  kit::Bench bench;
  bench.name = "copy";
  bench.backend = "cuda";
  bench.summary = "Copies between host and GPUs and among GPUs, every byte proved; latency.";
  bench.example = "copy-cuda --tests h2d,d2h,peer_write --engines ce";
  bench.declare = [&](kit::Options& options) { copy::declare(options, settings); };
  bench.libraries = kit::cuda::libraries;
  bench.run = [&](kit::Session& session) { copy::measure(settings, session); };
  return kit::bench_main(argc, argv, bench);
}

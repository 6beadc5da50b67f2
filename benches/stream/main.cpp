#include "benches/kit/bench.hpp"
#include "benches/stream/stream.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  stream::Settings settings;
  kit::Bench bench;
  bench.name = "stream";
  bench.backend = "host";
  bench.summary =
      "Memory bandwidth of this node: copy, scale, add and triad, every element proved.";
  bench.example = "stream-host --iterations 20 --variant both";
  bench.declare = [&](kit::Options& options) { stream::declare(options, settings); };
  bench.libraries = stream::libraries;
  bench.run = [&](kit::Session& session) { stream::measure(settings, session); };
  return kit::bench_main(argc, argv, bench);
}

#include "benches/align/host.hpp"
#include "benches/kit/bench.hpp"

int main(int argc, char** argv) {
  using namespace rackproof;
  align::HostSettings settings;
  kit::Bench bench;
  bench.name = "align";
  bench.backend = "host";
  bench.summary =
      "Rate of local sequence alignment (Smith-Waterman) on the cores of this node, every score "
      "proved.";
  bench.example = "align-host --matrix BLOSUM62 --gap 11,1 --seconds 5";
  bench.declare = [&](kit::Options& options) { align::declare_host(options, settings); };
  bench.libraries = align::host_libraries;
  bench.fault = [&] { return align::fault_name(settings); };
  bench.run = [&](kit::Session& session) { align::measure_host(settings, session); };
  return kit::bench_main(argc, argv, bench);
}

// Usage: localisations METHOD GPUS TRIALS [ROUNDS [NOISE...]]: METHOD is rounds, all or halving,
// GPUS 72, 232 or 10000, NOISE in percent. What docs/performance.md states of localising.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "tests/campaign/localisation.hpp"

namespace campaign = rackproof::campaign;

namespace {

int usage() {
  std::fputs("usage: localisations rounds|all|halving 72|232|10000 TRIALS [ROUNDS [NOISE...]]\n",
             stderr);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return usage();
  campaign::Trials trials;
  if (std::strcmp(argv[1], "all") == 0) {
    trials.method = campaign::Method::kAll;
  } else if (std::strcmp(argv[1], "halving") == 0) {
    trials.method = campaign::Method::kHalving;
  } else if (std::strcmp(argv[1], "rounds") != 0) {
    return usage();
  }
  trials.gpus = std::strtoul(argv[2], nullptr, 10);
  trials.trials = std::atoi(argv[3]);
  if (argc > 4) trials.rounds = std::atoi(argv[4]);
  std::vector<double> noises;
  for (int i = 5; i < argc; ++i) noises.push_back(std::atof(argv[i]) / 100);
  if (noises.empty()) noises = {0.015};
  if (trials.trials < 1 || trials.rounds < 1) return usage();
  if (trials.gpus != 72 && trials.gpus != 232 && trials.gpus != 10'000) return usage();
  std::puts(
      "| GPUs, planted, noise | trials | rounds or groups | named, % | among several, % | trials "
      "with a false accusation, % | confirmed, % | false ones confirmed | pairs again | ms, most "
      "|");
  for (const double noise : noises) {
    for (const campaign::Fault fault : campaign::kFaults) {
      trials.fault = fault;
      trials.noise = noise;
      const campaign::Outcomes o = campaign::localise_planted(trials);
      const double planted = o.planted > 0 ? o.planted : 1;
      std::printf(
          "| %zu, %s, %.1f %% | %d | %.1f | %.1f | %.1f | %.1f | %.1f | %d | %.1f | %.1f, %.1f |\n",
          trials.gpus, campaign::name_of(fault).c_str(), 100 * noise, trials.trials, o.rounds,
          100 * o.named / planted, 100 * o.open / planted,
          100.0 * o.trials_with_wrong / trials.trials, 100 * o.confirmed / planted,
          o.wrong_confirmed, o.retests, 1e3 * o.seconds, 1e3 * o.most_seconds);
      std::fflush(stdout);
    }
  }
  return 0;
}

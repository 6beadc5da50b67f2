// Usage: campaigns [CAMPAIGNS [DEVICES...]]: the rates of false verdicts and of detection.
#include <cstdio>
#include <cstdlib>

#include "tests/campaign/campaign.hpp"

namespace campaign = rackproof::campaign;

int main(int argc, char** argv) {
  campaign::Plan plan;
  if (argc > 1) plan.campaigns = std::atoi(argv[1]);
  std::vector<std::size_t> sizes;
  for (int i = 2; i < argc; ++i) sizes.push_back(std::strtoul(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {10000};
  std::puts(
      "devices, noise: campaigns | falsely failed | with a false finding | 8 % one metric, "
      "found failed | 8 % all, found failed | 3 % history, found failed | s");
  for (const std::size_t size : sizes) {
    for (const campaign::Noise noise : campaign::kNoises) {
      plan.devices = size;
      plan.noise = noise;
      const campaign::Rates r = campaign::simulate(plan);
      std::printf("%zu %s: %d | %zu | %d | %d %d | %d %d | %d %d | %.3f\n", size,
                  campaign::name_of(noise).c_str(), r.campaigns, r.failed_healthy,
                  r.with_false_finding, r.one_metric_found, r.one_metric_failed,
                  r.all_metrics_found, r.all_metrics_failed, r.history_found, r.history_failed,
                  r.seconds);
      std::fflush(stdout);
    }
  }
  return 0;
}

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
      "| devices, noise | campaigns | healthy: one failed, % | by the first stage alone, % | two "
      "groups, % | though alike, % | measured again, % of cells | 8 % in one metric: failed, % | "
      "first stage, % | 8 "
      "% in all: failed, % | first stage, % | 3 %, own history: failed, % | kinds told, % | a "
      "tenth slow: "
      "accepted, % | in a third of the metrics, % | s |");
  for (const std::size_t size : sizes) {
    for (const campaign::Noise noise : campaign::kNoises) {
      plan.devices = size;
      plan.noise = noise;
      const campaign::Rates r = campaign::simulate(plan);
      const auto share = [&r](int count) { return 100.0 * count / r.campaigns; };
      std::printf(
          "| %zu %s | %d | %.1f | %.1f | %.1f | %.1f | %.2f | %.0f | %.0f | %.0f | %.0f | %.0f |"
          " %.1f | %.1f | %.1f | %.3f |\n",
          size, campaign::name_of(noise).c_str(), r.campaigns, share(r.with_failed),
          share(r.with_outlier), share(r.held_back), share(r.held_back_alike), 100 * r.again,
          share(r.one_metric_failed), share(r.one_metric_outlier), share(r.all_metrics_failed),
          share(r.all_metrics_outlier), share(r.history_failed), share(r.kinds),
          share(r.group_accepted), share(r.group_in_third_accepted), r.seconds);
      std::fflush(stdout);
    }
  }
  return 0;
}

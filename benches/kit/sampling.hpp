#pragma once

#include <cstdint>
#include <vector>

#include "benches/kit/clock.hpp"

namespace rackproof::kit {

/// How often to measure: `warmup` runs whose times are dropped, then until both `min_samples` and
/// `min_seconds` are reached, and never more than `max_samples`.
struct SamplingRule {
  std::int64_t warmup = 1;
  std::int64_t min_samples = 10;
  std::int64_t max_samples = 1'000'000;
  double min_seconds = 0;
};

/// Runs `once` as the rule says and returns the seconds of each sample, in order.
template <class Once>
std::vector<double> sample_seconds(const SamplingRule& rule, Once&& once) {
  for (std::int64_t i = 0; i < rule.warmup; ++i) once();
  std::vector<double> seconds;
  double total = 0;
  while (
      static_cast<std::int64_t>(seconds.size()) < rule.max_samples &&
      (static_cast<std::int64_t>(seconds.size()) < rule.min_samples || total < rule.min_seconds)) {
    const double start = now_seconds();
    once();
    seconds.push_back(now_seconds() - start);
    total += seconds.back();
  }
  return seconds;
}

}  // namespace rackproof::kit

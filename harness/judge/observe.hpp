#pragma once

#include <optional>
#include <vector>

#include "harness/stats/interval.hpp"
#include "reports/model/measurement.hpp"

namespace rackproof::judge {

/// A statistic of a cell, over the samples of all its measurements.
struct Observation {
  double value = 0;
  std::optional<stats::Interval> interval;
};

/// The statistic over the pooled samples:
///  best, worst   the largest and smallest, swapped where less is better
///  median, mean  as they are; intervals from order statistics and from Student's t
///  p99           the nearest-rank 99th percentile, on the bad side: where more is better, the 1st
///  value         the `value` of the last measurement; no interval
/// When a measurement has no samples, its `value` stands for them if it is this very statistic;
/// then the least favourable measurement counts (for best: the most favourable, as over samples),
/// without an interval. Nothing when neither is there. `measurements` is not empty; their unit and
/// direction are the same, their numbers finite.
std::optional<Observation> observe(const std::vector<const model::Measurement*>& measurements,
                                   model::Statistic statistic, double confidence);

}  // namespace rackproof::judge

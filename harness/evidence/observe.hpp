#pragma once

#include <optional>
#include <vector>

#include "harness/stats/interval.hpp"
#include "reports/model/measurement.hpp"

namespace rackproof::evidence {

/// A statistic of a cell, over the samples of all its measurements.
struct Observation {
  double value = 0;
  std::optional<stats::Interval> interval;
};

/// False for best, worst and value: an extreme sample says nothing of how much lower the next may
/// be.
bool has_interval(contract::Statistic statistic);

/// The statistic over the pooled samples:
///  best, worst   the largest and smallest, swapped where less is better
///  median, mean  as they are; intervals from order statistics and from Student's t
///  p99, p05      the nearest-rank 99th percentile and the 95th, on the bad side: where more is
///                better, the 1st and the 5th; intervals from order statistics
///  value         the `value` of the last measurement; no interval
/// When a measurement has no samples, its `value` stands for them if it is this very statistic;
/// then the least favourable measurement counts (for best: the most favourable, as over samples),
/// without an interval. Nothing when neither is there. `measurements` is not empty; their unit and
/// direction are the same, their numbers finite.
///
/// No interval is by bootstrap: order statistics hold their confidence for any distribution and any
/// number of samples, the bootstrap of ten does not (docs/decisions has the numbers).
std::optional<Observation> observe(const std::vector<const model::Measurement*>& measurements,
                                   contract::Statistic statistic, double confidence);

}  // namespace rackproof::evidence

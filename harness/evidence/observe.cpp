#include "harness/evidence/observe.hpp"

#include <algorithm>

#include "harness/stats/robust.hpp"

namespace rackproof::evidence {
namespace {

using contract::Better;
using contract::Statistic;
using model::Measurement;

double most_favourable(const std::vector<double>& values, Better better) {
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  return better == Better::kMore ? *most : *least;
}

double least_favourable(const std::vector<double>& values, Better better) {
  return most_favourable(values, better == Better::kMore ? Better::kLess : Better::kMore);
}

double over_samples(const std::vector<double>& samples, Statistic statistic, Better better) {
  switch (statistic) {
    case Statistic::kValue:
    case Statistic::kWorst:
      return least_favourable(samples, better);
    case Statistic::kBest:
      return most_favourable(samples, better);
    case Statistic::kMedian:
      return stats::median(samples);
    case Statistic::kMean:
      return stats::mean(samples);
    case Statistic::kP99:
      return stats::nearest_rank(samples, better == Better::kMore ? 1 : 99);
    case Statistic::kP05:
      return stats::nearest_rank(samples, better == Better::kMore ? 5 : 95);
  }
  return least_favourable(samples, better);
}

std::optional<stats::Interval> interval_of(const std::vector<double>& samples, Statistic statistic,
                                           Better better, double confidence) {
  switch (statistic) {
    case Statistic::kMedian:
      return stats::median_interval(samples, confidence);
    case Statistic::kMean:
      return stats::mean_interval(samples, confidence);
    case Statistic::kP99:
      return stats::quantile_interval(samples, better == Better::kMore ? 0.01 : 0.99, confidence);
    case Statistic::kP05:
      return stats::quantile_interval(samples, better == Better::kMore ? 0.05 : 0.95, confidence);
    case Statistic::kValue:
    case Statistic::kBest:
    case Statistic::kWorst:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<Observation> from_each(const std::vector<const Measurement*>& measurements,
                                     Statistic statistic) {
  std::vector<double> values;
  for (const Measurement* measurement : measurements) {
    if (!measurement->samples.empty()) {
      values.push_back(over_samples(measurement->samples, statistic, measurement->better));
    } else if (measurement->statistic == statistic) {
      values.push_back(measurement->value);
    } else {
      return std::nullopt;
    }
  }
  const Better better = measurements.front()->better;
  return Observation{statistic == Statistic::kBest ? most_favourable(values, better)
                                                   : least_favourable(values, better),
                     std::nullopt};
}

}  // namespace

bool has_interval(Statistic statistic) {
  switch (statistic) {
    case Statistic::kMedian:
    case Statistic::kMean:
    case Statistic::kP99:
    case Statistic::kP05:
      return true;
    case Statistic::kValue:
    case Statistic::kBest:
    case Statistic::kWorst:
      return false;
  }
  return false;
}

std::optional<Observation> observe(const std::vector<const Measurement*>& measurements,
                                   Statistic statistic, double confidence) {
  if (statistic == Statistic::kValue) {
    // Of the last attempt. Where its samples contradict it, the worst of them counts.
    const Measurement& last = *measurements.back();
    if (last.samples.empty()) return Observation{last.value, std::nullopt};
    const auto [least, most] = std::minmax_element(last.samples.begin(), last.samples.end());
    const bool among = last.value >= *least && last.value <= *most;
    return Observation{among ? last.value : least_favourable(last.samples, last.better),
                       std::nullopt};
  }
  const bool all_sampled = std::none_of(measurements.begin(), measurements.end(),
                                        [](const Measurement* m) { return m->samples.empty(); });
  if (!all_sampled) return from_each(measurements, statistic);
  std::vector<double> pool;
  for (const Measurement* measurement : measurements) {
    pool.insert(pool.end(), measurement->samples.begin(), measurement->samples.end());
  }
  const Better better = measurements.front()->better;
  return Observation{over_samples(pool, statistic, better),
                     interval_of(pool, statistic, better, confidence)};
}

}  // namespace rackproof::evidence

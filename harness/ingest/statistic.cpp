#include "harness/ingest/statistic.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "contract/better.hpp"
#include "contract/statistic.hpp"
#include "contract/words.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::ingest {
namespace {

using contract::Better;
using contract::Statistic;

// Means are added up in other orders, and rates worked out in other ways.
constexpr double kRounding = 1e-9;
constexpr std::size_t kOneIn = 100;  // p99

struct Span {
  double low = 0;
  double high = 0;
};

double ranked(std::vector<double>& samples, std::size_t rank) {
  const auto place = samples.begin() + static_cast<std::ptrdiff_t>(rank);
  std::nth_element(samples.begin(), place, samples.end());
  return *place;
}

Span all_of(const std::vector<double>& samples) {
  const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
  return {*least, *most};
}

Span between(std::vector<double> samples, std::size_t first, std::size_t last) {
  const double low = ranked(samples, first);
  return {low, ranked(samples, last)};
}

/// Where all but one in a hundred samples are better.
Span around_p99(const std::vector<double>& samples, bool more) {
  const std::size_t count = samples.size();
  // Nearest ranks from 0 of the 1st percentile, and of the 99th.
  const std::size_t low = (count + kOneIn - 1) / kOneIn - 1;
  const std::size_t high = (count * (kOneIn - 1) + kOneIn - 1) / kOneIn - 1;
  const std::size_t rank = more ? low : high;
  return between(samples, rank == 0 ? 0 : rank - 1, std::min(rank + 1, count - 1));
}

Span span_of(const std::vector<double>& samples, Statistic statistic, bool more) {
  const Span all = all_of(samples);
  switch (statistic) {
    case Statistic::kValue:
      return all;
    case Statistic::kBest:
      return more ? Span{all.high, all.high} : Span{all.low, all.low};
    case Statistic::kWorst:
      return more ? Span{all.low, all.low} : Span{all.high, all.high};
    case Statistic::kMedian:
      return between(samples, (samples.size() - 1) / 2, samples.size() / 2);
    case Statistic::kMean: {
      const double mean = stats::mean(samples);
      return {mean, mean};
    }
    case Statistic::kP99:
      return around_p99(samples, more);
    case Statistic::kP05:  // of no record
      return all;
  }
  return all;
}

}  // namespace

std::string problem_of_value(const protocol::Metric& metric, const std::vector<double>& samples) {
  if (samples.empty()) return "";
  const Span span = span_of(samples, metric.statistic, metric.better == Better::kMore);
  const double slack = kRounding * std::max(std::abs(span.low), std::abs(span.high));
  if (metric.value >= span.low - slack && metric.value <= span.high + slack) return "";
  const std::string wanted = span.low == span.high
                                 ? fmt::format("{:.17g}", span.low)
                                 : fmt::format("{:.17g} to {:.17g}", span.low, span.high);
  return fmt::format("the value {:.17g} of {} is not the {} of its {} samples, {}", metric.value,
                     metric.name, contract::word(metric.statistic), samples.size(), wanted);
}

}  // namespace rackproof::ingest

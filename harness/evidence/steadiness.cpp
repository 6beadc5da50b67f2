#include "harness/evidence/steadiness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/evidence/reasons.hpp"
#include "harness/recognise/match.hpp"
#include "harness/stats/robust.hpp"
#include "reports/model/quantity.hpp"

namespace rackproof::evidence {
namespace {

constexpr std::size_t kFewest = 8;
/// Of any metric, whatever is said of it: no quiet machine was seen to scatter messages of 0.1 us
/// by more than 2.14.
constexpr double kAbsurd = 8;

}  // namespace

double quartile_ratio(std::vector<double> samples) {
  if (samples.size() < kFewest) return 1;
  const auto [first, third] = stats::quartiles(std::move(samples));
  return first > 0 && third > 0 ? third / first : 1;
}

double spread_allowed(const Context& context, const model::Cell& cell,
                      const model::Measurement& measurement) {
  const model::StepInfo* step = context.step(cell.step);
  for (const model::MetricBound* bound : context.bounds_of(cell.metric)) {
    if (bound->spread > 0 && recognise::is_about(*bound, cell, step) &&
        bound->unit == measurement.unit) {
      return std::min(bound->spread, kAbsurd);
    }
  }
  return kAbsurd;
}

bool is_scattered(const Context& context, const model::Cell& cell,
                  const model::Measurement& measurement) {
  if (context.report().suite.policy.disturbed == model::Disturbed::kIgnore) return false;
  return quartile_ratio(measurement.samples) > spread_allowed(context, cell, measurement);
}

model::Verdict untested_when_scattered(const Context& context, const model::Cell& cell,
                                       const model::Measurement& measurement) {
  const auto [first, third] = stats::quartiles(measurement.samples);
  return verdict(
      model::Outcome::kUntested, reason_id::kDisturbed,
      fmt::format("the third quartile of its {} samples, {}, is {:.3g} times the first, {}, where "
                  "{} is {:.3g} times at most on a machine that nothing disturbs",
                  measurement.samples.size(), model::quantity(third, measurement.unit),
                  quartile_ratio(measurement.samples), model::quantity(first, measurement.unit),
                  cell.metric, spread_allowed(context, cell, measurement)));
}

}  // namespace rackproof::evidence

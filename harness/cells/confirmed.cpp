#include "harness/cells/confirmed.hpp"

#include <algorithm>
#include <cmath>

#include "harness/cells/plausible.hpp"
#include "harness/evidence/observe.hpp"
#include "harness/evidence/steadiness.hpp"

namespace rackproof::cells {
namespace {

bool is_above_zero(double value) { return std::isfinite(value) && value > 0; }

bool is_checked(const model::Measurement& one) {
  return !one.check.name.empty() && one.check.compared > 0 && is_above_zero(one.value) &&
         std::all_of(one.samples.begin(), one.samples.end(), is_above_zero);
}

}  // namespace

std::vector<double> taken_again(const evidence::Context& context, const model::Cell& cell,
                                const model::PlatformTable* table,
                                const std::vector<const model::Measurement*>& again,
                                const Judgement& judgement) {
  const model::Measurement& judged = *judgement.clean.back();
  const contract::Statistic statistic = judgement.verdict.statistic;
  const double confidence = context.report().suite.policy.confidence;
  std::vector<double> values;
  for (const model::Measurement* one : again) {
    if (!is_checked(*one) || one->unit != judged.unit || one->better != judged.better) continue;
    if (evidence::is_scattered(context, cell, *one)) continue;
    const auto observed = evidence::observe({one}, statistic, confidence);
    if (!observed || !is_above_zero(observed->value)) continue;
    if (refuse_implausible(context, cell, table, *one, statistic, observed->value)) continue;
    values.push_back(observed->value);
  }
  return values;
}

}  // namespace rackproof::cells

#include "harness/learn/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/stats/peers.hpp"
#include "harness/stats/pooling.hpp"
#include "harness/stats/prediction.hpp"
#include "harness/stats/robust.hpp"

namespace rackproof::learn {
namespace {

/// Tolerances are written in steps of a tenth of a percent.
constexpr double kToleranceStep = 0.001;
constexpr std::size_t kMostValues = 1000;

std::vector<double> logs_of(const std::vector<Value>& values) {
  std::vector<double> logs;
  for (const Value& value : values) logs.push_back(std::log(value.value));
  return logs;
}

double deviation_of(const std::vector<double>& values) {
  const double centre = stats::mean(values);
  double squares = 0;
  for (const double value : values) squares += (value - centre) * (value - centre);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

/// How far the bad end of a value's interval lies on the bad side of the median, as a share of it.
double farthest(const std::vector<Value>& values, double median, bool more) {
  double most = 0;
  for (const Value& value : values) {
    const double share = more ? 1 - value.edge / median : value.edge / median - 1;
    most = std::max(most, share);
  }
  return most;
}

}  // namespace

std::map<Kind, Variation> variations_of(const std::map<Kind, std::vector<Value>>& kinds) {
  std::map<std::pair<std::string, std::string>, std::vector<const Kind*>> alike;
  for (const auto& [kind, values] : kinds) {
    if (values.size() > 1) alike[{kind.metric, kind.backend}].push_back(&kind);
  }
  std::map<Kind, Variation> variations;
  for (const auto& [metric, members] : alike) {
    std::vector<stats::Estimate> each;
    for (const Kind* kind : members) {
      const std::vector<double> logs = logs_of(kinds.at(*kind));
      const double deviation = std::max(deviation_of(logs), stats::kSpreadFloor);
      // The logarithm of a standard deviation with f degrees of freedom has a variance of 1 / 2f.
      each.push_back({std::log(deviation), 0.5 / static_cast<double>(logs.size() - 1)});
    }
    const std::vector<stats::Estimate> together = stats::pooled(each);
    for (std::size_t i = 0; i < members.size(); ++i) {
      variations[*members[i]] = {std::exp(together[i].value), 0.5 / together[i].variance};
    }
  }
  return variations;
}

double tolerance_of(const std::vector<Value>& values, const Variation& variation, double median,
                    bool more_is_better, double least) {
  const double side = more_is_better ? -1 : 1;
  const double reach =
      variation.deviation * stats::prediction_deviations(values.size(), variation.freedom, kTail);
  const double limit = std::exp(stats::mean(logs_of(values)) + side * reach);
  const double spread = side * (limit / median - 1);
  const double needed = std::max({least, spread, farthest(values, median, more_is_better)});
  // What is a whole number of steps but for rounding is one.
  constexpr double kRounding = 1e-9;
  return std::ceil(needed / kToleranceStep - kRounding) * kToleranceStep;
}

std::string what_helps(const Variation& variation, double most, bool more_is_better) {
  const double side = more_is_better ? -1 : 1;
  const double deviations = std::abs(std::log1p(side * most)) / variation.deviation;
  const std::size_t values = stats::values_for_prediction(deviations, kTail, kMostValues);
  if (values == 0) {
    return fmt::format("they vary by {:.2g} %, and no number of runs makes a limit of that",
                       100 * variation.deviation);
  }
  return fmt::format("with {} values of this spread, {:.2g} %, it would be {:.2g} %", values,
                     100 * variation.deviation, 100 * most);
}

}  // namespace rackproof::learn

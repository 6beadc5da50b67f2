#include "harness/telemetry/budget.hpp"

#include <algorithm>
#include <cmath>

namespace rackproof::telemetry {
namespace {

constexpr unsigned kWindow = 32;
constexpr double kMostStretch = 100;
// A cost that lies at a limit would otherwise change the interval to and fro.
constexpr double kClearlyLess = 0.8;

}  // namespace

unsigned Budget::after_sample(double cpu_seconds) {
  sum_seconds_ += cpu_seconds;
  if (++samples_ < kWindow) return stretch_;
  const double budgets = sum_seconds_ / kWindow / budget_seconds_;
  sum_seconds_ = 0;
  samples_ = 0;
  const auto needed = [](double share) {
    return static_cast<unsigned>(std::clamp(std::ceil(share), 1.0, kMostStretch));
  };
  if (needed(budgets) > stretch_) {
    stretch_ = needed(budgets);
  } else if (needed(budgets / kClearlyLess) < stretch_) {
    stretch_ = needed(budgets / kClearlyLess);
  }
  return stretch_;
}

}  // namespace rackproof::telemetry

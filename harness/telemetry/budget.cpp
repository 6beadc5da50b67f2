#include "harness/telemetry/budget.hpp"

#include <algorithm>
#include <cmath>

namespace rackproof::telemetry {
namespace {

// As many as there are between two that read everything.
constexpr unsigned kWindow = 100;
// Before it is over: samples that have cost so many times what the whole window may.
constexpr unsigned kFewest = 8;
constexpr double kFarTooMuch = 2;
constexpr double kMostStretch = 100;
// A cost that lies at a limit would otherwise change the interval to and fro.
constexpr double kClearlyLess = 0.8;

}  // namespace

unsigned Budget::after_sample(double cpu_seconds) {
  sum_seconds_ += cpu_seconds;
  ++samples_;
  const bool far_over =
      samples_ >= kFewest && sum_seconds_ > kFarTooMuch * kWindow * stretch_ * budget_seconds_;
  if (samples_ < kWindow && !far_over) return stretch_;
  const double budgets = sum_seconds_ / samples_ / budget_seconds_;
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

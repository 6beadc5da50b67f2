#pragma once

#include <array>
#include <vector>

#include "benches/kit/session.hpp"
#include "benches/steps/nccl_config.hpp"

namespace rackproof::steps {

/// What a step came to, in seconds.
struct StepTimes {
  std::vector<double> steps;                            ///< of all ranks the longest
  std::vector<std::array<double, kProducts>> products;  ///< of each rank: each product alone
  std::array<double, kTraffic> traffic{};               ///< each message alone, the longest
  /// Of each product the longest of the ranks.
  std::array<double, kProducts> slowest() const;
};

/// The product that is slower on one rank than on the median of them, and what that costs a step.
struct SlowGemm {
  std::size_t product = 0;
  int rank = -1;
  double seconds = 0;  ///< a step
};
SlowGemm slowest_product(const StepPlan& plan, const StepTimes& times);

/// What makes a step slow, in one sentence, where it costs a twentieth of it: a product that is
/// slow on one rank, or messages that nothing hides. Empty where all is well.
std::string slow_part(const StepPlan& plan, const StepTimes& times);

/// Says a step's metrics and notes; `check` is what they hang on.
void say_step(const NcclPlan& plan, const NcclConfig& config, const StepPlan& step,
              const StepTimes& times, double memory_peak, const std::string& check,
              kit::Session& session);

}  // namespace rackproof::steps

#pragma once

#include <vector>

#include "benches/kit/progress.hpp"
#include "benches/steps/config.hpp"
#include "benches/steps/stage.hpp"

namespace rackproof::steps {

/// What each part of a step takes alone, in seconds: of this rank, or of the slowest of some.
struct Alone {
  double forward = 0;  ///< products of one layer and micro-batch
  double backward = 0;
  double tensor = 0;     ///< one all-reduce of tokens x hidden over the tensor group
  double expert = 0;     ///< one exchange of the expert group
  double stages = 0;     ///< from a stage to the next
  double gradients = 0;  ///< of one layer
  double weights = 0;    ///< gathered, of one layer and pass
  double rate = 0;       ///< FLOP/s of a large product
};

/// Measures each of them, all ranks at once, as the median of a few.
Alone measure_alone(Stage& stage, const Config& config, const Groups& groups,
                    kit::ProgressWriter& word);

/// The seconds of a step made of its parts: the schedule with the slowest rank of each stage, and
/// gradients behind it; where a thread `hides` them, what does not fit under the backward pass.
double predicted_step(const std::vector<Alone>& stages, const Shape& shape, const Plan& plan,
                      bool hides);

}  // namespace rackproof::steps

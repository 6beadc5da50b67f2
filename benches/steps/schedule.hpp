#pragma once

#include <cstdint>
#include <vector>

namespace rackproof::steps {

/// One thing that a stage does with a micro-batch.
struct Turn {
  enum class Kind { kForward, kBackward };
  Kind kind = Kind::kForward;
  std::int64_t micro_batch = 0;

  bool operator==(const Turn&) const = default;
};

/// What a stage does, in order: one forward one backward (Narayanan et al., arXiv:2104.04473,
/// section 2.2.1). A stage begins with as many forward passes as there are stages behind it, then
/// takes turns, and ends with the backward passes that are left.
std::vector<Turn> one_forward_one_backward(std::int64_t stage, std::int64_t stages,
                                           std::int64_t micro_batches);

/// Seconds of one micro-batch on one stage.
struct StageTimes {
  double forward = 0;
  double backward = 0;
};

/// When the last stage to end has done all turns, if each takes what `stages` say, and a message to
/// the next stage `transfer`. Follows every dependency; no stage waits for anything else.
double predicted_seconds(const std::vector<StageTimes>& stages, std::int64_t micro_batches,
                         double transfer);

}  // namespace rackproof::steps

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/session.hpp"
#include "benches/steps/overlap_numbers.hpp"

namespace rackproof::steps {

/// One message whose overlap was measured: an all-reduce of so many bytes in a group of so many
/// ranks.
struct OverlapCell {
  std::string message;  ///< "tensor", "gradients" or "sweep"
  std::int64_t bytes = 0;
  int ranks = 1;
  double products = 0;  ///< computed beside it
  /// Whether what is exposed is a metric too, and not in the sentence alone. Where suites look at
  /// it it is none: on a sound GPU it is as short as the clock can tell, and a limit learned from
  /// that fails whatever is a microsecond longer.
  bool exposed_is_metric = true;
};

/// Says the metrics of a cell, as medians over its rounds, proved by `check`, and one sentence with
/// intervals; `why` is what it means where nothing of the message is hidden. `base` are the
/// parameters of the model and its layout.
void say_overlap(const OverlapCell& cell, const contract::Parameters& base,
                 const std::string& check, const std::vector<Round>& rounds, std::string_view why,
                 kit::Session& session);

}  // namespace rackproof::steps

#include "harness/run/tally.hpp"

#include <fmt/format.h>

namespace rackproof::run {

void Tally::hold_up(model::StepReason id, int rank, const Context& context) {
  if (held_up.empty()) {
    held_up = {id, fmt::format("rank {} on {}", rank, context.host_of(rank))};
  }
}

}  // namespace rackproof::run

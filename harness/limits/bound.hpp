#pragma once

#include <string>
#include <string_view>

#include "harness/evidence/context.hpp"

namespace rackproof::limits {

/// The most that topology and inventory allow of what a cell measures.
struct Bound {
  double value = 0;            ///< in `unit`; 0: there is none, and `text` says why
  std::string_view unit;       ///< base unit
  std::string text;            ///< what it is made of: "8 x 50 GB/s between 2 domains of 8 GPUs"
  bool contradictory = false;  ///< there is none because facts contradict each other
};

/// By the formulas of docs/judging.md#bounds; `of` says which one. `shown` are the conditions that
/// the measurements of the cell show: NCCL's algorithm changes what a network allows.
Bound bound_of(model::BoundOf of, const evidence::Context& context,
               const model::PlatformTable& table, const model::Cell& cell,
               const contract::Parameters& shown);

}  // namespace rackproof::limits

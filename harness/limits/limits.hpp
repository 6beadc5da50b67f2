#pragma once

#include <optional>
#include <string>

#include "harness/evidence/context.hpp"

namespace rackproof::limits {

/// What a cell is held to.
struct Limits {
  const model::Baseline* baseline = nullptr;
  double expected = 0;
  std::optional<double> low;
  std::optional<double> high;
  std::string origin;  ///< where `expected` comes from, for the sentence
  /// Only the answer is judged: why, when the baseline is one that knows numbers.
  bool by_correctness = false;
  std::string why_correctness;
};

/// The baseline that applies, or why none does. `limits.baseline` is set when one does; its limits
/// are then meant only for a kind that judges by a number.
struct Choice {
  Limits limits;
  const char* problem = nullptr;  ///< a reason_id
  std::string sentence;
};

/// The first baseline in table order whose metric glob, parameters, backend and node range fit the
/// cell, and whose `when` fits the conditions that all its measurements show. A fraction of a fact
/// that nobody states does not apply, and the next is tried. Outside the span of its points a curve
/// does not apply either; a later baseline with a number may, but one of correctness alone no
/// longer does. Where more is better the low limit is expected * (1 - tolerance_below), and above
/// expected * (1 + tolerance_above), when given, a number is not plausible; where less is better
/// the two sides change places. A baseline without a tolerance on the judged side, or whose limit
/// every number would meet, is a bad-baseline.
Choice choose_limits(const evidence::Context& context, const model::Cell& cell,
                     const model::PlatformTable& table, const model::Measurement& measurement,
                     const contract::Parameters& shown);

}  // namespace rackproof::limits

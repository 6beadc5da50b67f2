#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "harness/compare/trend.hpp"

namespace rackproof::compare {

/// What changed for the worse, or for the better, between the same two runs: it may have one cause.
struct Turn {
  bool worse = false;
  std::size_t before = 0;  ///< indices of the runs
  std::size_t at = 0;
  std::vector<const Change*> changes;  ///< the largest first
  std::vector<std::string> facts;      ///< that were not the same there, for each of them
};

/// The changes of a trend by the runs between which they lie: those for the worse before others,
/// the latest first. They point into the trend.
std::vector<Turn> turns_of(const std::vector<Sample>& runs, const Trend& trend);

/// The facts that changed with this one and not with each of its turn.
std::vector<std::string> own_facts(const Turn& turn, const Change& change);

/// "night16, 2026-03-17 02:00": a run and when it began.
std::string run_text(const Sample& run);

}  // namespace rackproof::compare

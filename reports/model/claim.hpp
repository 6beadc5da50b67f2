#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/measurement.hpp"

namespace rackproof::model {

/// Something that a suite says an accepted machine is fast at, and the cells that can show it. It
/// is held when each of their subjects has one that passes a limit of its own machine type.
struct Claim {
  std::string id;     ///< "memory", unique in the suite
  std::string title;  ///< "bandwidth of host memory": what has no limit where it is not held
  std::vector<std::string> steps;    ///< ids
  std::vector<std::string> metrics;  ///< globs over metric names; empty: any
  contract::Parameters parameters;   ///< each must equal the cell's; a text may be a glob
  std::string each;  ///< "metric" or a parameter: each value counts apart; empty: none
  std::optional<std::int64_t> nodes_min;  ///< only groups of at least so many hosts
  std::optional<std::int64_t> nodes_max;
  /// Ids of earlier claims: this one counts only where none of them does.
  std::vector<std::string> unless;

  bool operator==(const Claim&) const = default;
};

/// What became of a claim in a run. A place is a subject, and a value of `each` where there is one.
struct ClaimState {
  std::string id;
  std::string title;
  int places = 0;                    ///< that have a required cell which is not waived
  int held = 0;                      ///< of them
  std::vector<std::string> missing;  ///< values of `each` that are not held everywhere, sorted
  std::string accepted;              ///< why it need not be held; empty: nobody said so

  bool is_held() const { return held == places; }
  bool operator==(const ClaimState&) const = default;
};

}  // namespace rackproof::model

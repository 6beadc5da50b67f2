#pragma once

#include <string>
#include <vector>

namespace rackproof::model {

/// A kind of fault, and how many of it a suite is expected to miss.
struct MissedFault {
  std::string id;
  std::string title;    ///< "memory of a GPU"
  double expected = 0;  ///< how many are expected in the machine
  double missed = 0;    ///< of them: by this suite

  bool operator==(const MissedFault&) const = default;
};

/// What a suite that `rackproof plan` made covers of the suite that it was made of. Accepted by it
/// means: of what was planned.
struct SuitePlan {
  std::string of;         ///< id of the whole suite
  std::string of_digest;  ///< sha256 of its file
  int of_steps = 0;
  std::vector<std::string> left_out;  ///< ids of its steps that are not in this one
  double budget_seconds = 0;          ///< what was asked for
  double usual_seconds = 0;           ///< half of the runs are expected to be quicker
  double missed = 0;                  ///< share of the expected faults
  double missed_by_all = 0;           ///< by the whole suite
  std::string basis;                  ///< where rates, chances and durations are from
  std::vector<MissedFault> faults;    ///< the most missed first

  bool operator==(const SuitePlan&) const = default;
};

}  // namespace rackproof::model

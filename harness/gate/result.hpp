#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/gate/reason.hpp"

namespace rackproof::gate {

/// What a gate came to.
struct Result {
  std::string host;
  std::string node;               ///< its name for the scheduler
  std::string mode;               ///< prolog, epilog, health
  std::string utc;                ///< when it began
  double seconds = 0;             ///< that it took
  std::string platform;           ///< id of the table; empty: none
  bool benches = false;           ///< were run
  std::string accepted;           ///< why what is bad was taken as good; empty: it was not
  std::vector<Finding> findings;  ///< what decides stands first

  /// Of the findings; what was accepted is ok.
  Verdict verdict() const;
  bool operator==(const Result&) const = default;
};

/// One line of JSON ("rackproof/gate/1"), and back. Reading throws std::runtime_error.
std::string to_json_line(const Result& result);
Result result_from_json(std::string_view text);

/// What people read: a line for each finding that decides, or for all of them with `all`; nothing
/// for a node that is well.
std::string to_text(const Result& result, bool all);

}  // namespace rackproof::gate

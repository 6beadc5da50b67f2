#pragma once

#include <cstdint>
#include <string>

#include "contract/progress_page.hpp"
#include "reports/model/states.hpp"

namespace rackproof::model {

/// How far a member of a group was in what all of them do together, as it told its warden in memory
/// of both.
struct Progress {
  std::string operation;       ///< what it had entered last: "all_reduce 1048576 B float sum"
  std::int64_t bytes = 0;      ///< of its messages
  contract::Place entered;     ///< where it stood; no cell: it had come to nothing so far
  contract::Place completed;   ///< the last that was over for it
  std::int64_t span = 1;       ///< so many operations from `entered` on are over at once
  double still_seconds = 0;    ///< since when none of that had changed, when the warden looked
  Reason<ProcessState> state;  ///< what its process was doing then; empty: it had ended

  /// It stood in what it had entered last, and not behind it.
  bool is_inside() const { return completed < entered; }
  bool operator==(const Progress&) const = default;
};

/// "iteration 128 of all_reduce 1048576 B float sum": a place of what is called so.
std::string to_text(const contract::Place& place, const std::string& operation,
                    std::int64_t span = 1);

}  // namespace rackproof::model

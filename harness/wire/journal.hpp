#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::wire {

/// One line of a journal. `j` is its kind:
///
/// from the rank: open (who keeps this journal), and on rank 0 run (tool, run, suite), rank, node,
///   platform, host_platform, plan_step, cell, planned, step, finding, roll_call, rank_lost, ended;
/// from the warden: begin, out, end (one attempt each), close (the last line).
struct Entry {
  std::string j;
  nlohmann::json body;
  int line = 0;  ///< in its journal, 1-based; 0 when it was read alone
};

/// Reads one line. Nothing when it is not a JSON object with a text `j`.
std::optional<Entry> parse_entry(std::string_view line);

/// What is wrong with a journal file, by place.
struct Damage {
  int line = 0;            ///< 1-based
  bool torn_tail = false;  ///< only the last line is cut short: what a crash leaves
  std::string what;
};

/// Calls `take` for each entry of a journal's bytes, in order. A last line without newline is a
/// torn tail and is passed over; any other line that is none, or whose seal does not hold
/// (warden/seal.hpp), is passed over too. Both are reported.
std::vector<Damage> for_each_entry(std::string_view bytes,
                                   const std::function<void(const Entry&)>& take);

}  // namespace rackproof::wire

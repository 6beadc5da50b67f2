#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/warden/seal.hpp"

namespace rackproof::wire {

/// One line of a journal. `j` is its kind:
///
/// from the rank: open (who keeps this journal), and on rank 0 run (tool, run, suite), rank, node,
///   platform, host_platform, bound, plan_step, cell, planned, step, finding, roll_call, rank_lost,
///   ended;
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

/// Reads a journal as it comes, in parts of any size: `take` gets each entry, in order. A last line
/// without newline is a torn tail and is passed over; any other line that is none, or whose seal
/// does not hold (warden/seal.hpp), is passed over too. Both are reported.
class JournalScan {
 public:
  explicit JournalScan(std::function<void(const Entry&)> take) : take_(std::move(take)) {}

  void feed(std::string_view part);
  /// After the last part.
  std::vector<Damage> finish();

 private:
  void take_line(std::string_view line);

  std::function<void(const Entry&)> take_;
  warden::Seal seal_;
  std::string begun_;      ///< of a line whose end has not come yet
  bool too_long_ = false;  ///< that line is longer than any that was ever written
  int number_ = 0;
  std::vector<Damage> damages_;
};

/// The same for the bytes of a whole journal.
std::vector<Damage> for_each_entry(std::string_view bytes,
                                   const std::function<void(const Entry&)>& take);

}  // namespace rackproof::wire

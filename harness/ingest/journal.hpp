#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/warden/seal.hpp"

namespace rackproof::ingest {

/// One line of a journal whose seal holds: JSON of which journal::entry_from_json makes an entry.
struct Line {
  nlohmann::json body;
  int number = 0;  ///< in its journal, 1-based

  std::string kind() const;
};

/// What is wrong with a journal file, by place.
struct Damage {
  int line = 0;            ///< 1-based
  bool torn_tail = false;  ///< only the last line is cut short: what a crash leaves
  std::string what;
};

/// Reads a journal as it comes, in parts of any size: `take` gets each line, in order. A last line
/// without newline is a torn tail and is passed over; any other line that is none, or whose seal
/// does not hold (warden/seal.hpp), is passed over too. Both are reported.
class JournalScan {
 public:
  explicit JournalScan(std::function<void(const Line&)> take) : take_(std::move(take)) {}

  void feed(std::string_view part);
  /// After the last part.
  std::vector<Damage> finish();

 private:
  void take_line(std::string_view line);

  std::function<void(const Line&)> take_;
  warden::Seal seal_;
  std::string begun_;      ///< of a line whose end has not come yet
  bool too_long_ = false;  ///< that line is longer than any that was ever written
  int number_ = 0;
  std::vector<Damage> damages_;
};

/// The same for the bytes of a whole journal.
std::vector<Damage> for_each_line(std::string_view bytes,
                                  const std::function<void(const Line&)>& take);

}  // namespace rackproof::ingest

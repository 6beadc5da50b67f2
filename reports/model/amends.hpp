#pragma once

#include <string>
#include <vector>

namespace rackproof::model {

/// What was repaired before a run measured a part of its cells again.
struct Repair {
  std::string host;
  std::string device;  ///< UUID of the GPU as the amended report knows it; empty: the whole host
  std::string reason;
  std::string ticket;

  bool operator==(const Repair&) const = default;
};

/// The report that a report amends: what was measured for that one still counts here, but for what
/// was repaired, did not pass or is too old.
struct Amends {
  std::string sha256;  ///< of the bytes of that report
  std::string run;     ///< its id
  std::string began_utc;
  std::string acceptance;       ///< its word
  double valid_seconds = 0;     ///< older evidence of it does not count
  std::vector<Repair> repairs;  ///< at least one
  int results = 0;              ///< cells of this report
  int measured_again = 0;       ///< those of them with a number of this run
  std::string oldest_utc = {};  ///< when the oldest evidence that counts was begun; empty: none

  bool operator==(const Amends&) const = default;
};

}  // namespace rackproof::model

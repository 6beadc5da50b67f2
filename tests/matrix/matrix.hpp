#pragma once

#include <string>
#include <vector>

#include "tests/matrix/rack.hpp"

namespace rackproof::matrix {

/// What became of so many racks.
struct Tally {
  int accepted = 0;
  int rejected = 0;
  int verified = 0;
  int incomplete = 0;
  std::string first_reason;  ///< of the first that was neither as it should be

  int all() const { return accepted + rejected + verified + incomplete; }
  void add(const Tally& other);
};

/// "100 accepted, 0 verified, 0 incomplete, 0 rejected".
std::string to_text(const Tally& tally);

/// One row: a table, a suite and a number of hosts.
struct Row {
  std::string table;
  std::string suite;
  int hosts = 0;
  bool limited = false;  ///< every claim of NCCL but latency can be held to a limit there
  Tally healthy;
  Tally slow;  ///< at 0.5 and 0.1, everywhere and, of several hosts, only between them
};

/// As a row of a table in Markdown; behind it, why the first healthy rack was not accepted.
std::string to_text(const Row& row);

struct Plan {
  std::vector<int> hosts = {1, 2, 4, 16};
  int seeds = 100;     ///< of healthy racks
  int slow_seeds = 5;  ///< of each slow one
  std::string only;    ///< part of the name of a table; empty: all
};

/// Tables of platforms whose GPUs make groups, against the suites acceptance and fabric; a rack of
/// one NVLink domain has 18 hosts in place of 16. `told` hears each row.
std::vector<Row> play(const Plan& plan, void (*told)(const Row&));

}  // namespace rackproof::matrix

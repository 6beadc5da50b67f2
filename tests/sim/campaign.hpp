#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tests/sim/scenario.hpp"

namespace rackproof::sim {

/// What many campaigns came to.
struct Tally {
  long campaigns = 0;
  long with_pass = 0;
  long resumed = 0;
  long refused = 0;
  long compared = 0;  ///< with the same campaign, left alone
  long live = 0;      ///< live reports that were compared with that of their lines, or files
  long live_differ = 0;
  long without_report = 0;
  long most_ranks = 0;
  long ranks = 0;
  std::map<std::string, long> verdicts;     ///< of cells
  std::map<std::string, long> acceptances;  ///< of reports
  std::map<std::string, long> struck;       ///< blows and deeds
  long violated = 0;

  void add(const Tally& other);
};

/// A campaign, and what is wrong with its reports.
struct Result {
  Tally tally;
  std::vector<std::string> violations;
  std::string trace;  ///< empty unless it was asked for
};

/// What the simulator does to the journals before the report is made of them, to show that the
/// oracle sees a product that fails so.
enum class Mutant {
  kNone,
  kResultLost,       ///< acknowledged before it is written
  kCheckIgnored,     ///< a failed check counts as passed
  kNonceIgnored,     ///< a stale nonce counts as fresh
  kSignalIgnored,    ///< a crash counts as an orderly end
  kLoadIgnored,      ///< what others did meanwhile is not known
  kCellForgotten,    ///< a cell is not listed
  kLossForgotten,    ///< a lost rank is not told
  kOtherRankBlamed,  ///< another rank is told
  kLineUnheard,      ///< rank 0 knows of a result of which no line tells
};
/// Throws std::invalid_argument for a name that is none.
Mutant mutant_of(const std::string& name);
const std::vector<std::string>& mutant_names();

Result run_campaign(const Scenario& scenario, Mutant mutant, bool tracing);

}  // namespace rackproof::sim

#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "reports/model/subject.hpp"
#include "tests/sim/scenario.hpp"

namespace rackproof::sim {

/// One attempt as it really went.
struct Happened {
  std::string nonce;
  std::string step;
  std::string subject;  ///< text_of() it
  int segment = 1;
  int number = 1;
  bool narrows = false;  ///< made by a part of a group that failed: of no cell
  int member = 0;
  int members = 0;  ///< 0: it works alone
  int rank = 0;
  Deed deed = Deed::kHonest;
  bool own_end = false;  ///< it ended by itself: nobody cancelled it, and no deadline
  /// Where its last line, and the line that says that its answer is wrong, end in its rank's
  /// journal; 0: they were never written there.
  std::size_t end_at = 0;
  std::size_t wrong_at = 0;
  std::string end_line;  ///< all of it but its last brace, behind which the seal stands
  std::string wrong_line;
  std::string journal;  ///< absolute path
  int host = 0;
};

/// What befell the run in one segment.
struct Befallen {
  std::set<int> hurt;     ///< ranks that something was done to
  std::set<int> crashed;  ///< whose process was gone before the run was over, journal closed
  std::set<int> came;     ///< ranks that opened a journal
  bool interrupted = false;
  bool clock_jumped = false;
  bool rank0_gone = false;
  bool refused = false;
  bool rescued = false;    ///< rank 0 could not go on, and reported what there was
  bool ended = false;      ///< rank 0 has written durably that the run is over
  bool disturbed = false;  ///< anything at all struck
};

/// Host, device and group: tells the subjects of one step apart.
std::string text_of(const model::Subject& subject);

/// Everything that the simulator knows and the product has to find out.
struct Ledger {
  std::vector<Happened> attempts;
  std::vector<Befallen> segments;
  std::map<std::string, long> struck;  ///< how often each blow and each deed came to pass
  std::vector<std::string> violations;
  std::string trace;
  bool tracing = false;

  Befallen& now() { return segments.back(); }
  void blame(const std::string& what) { violations.push_back(what); }
};

}  // namespace rackproof::sim

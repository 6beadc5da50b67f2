#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/run/context.hpp"

namespace rackproof::run {

/// One recorder on each host that is tested, for the whole run.
class Recorders {
 public:
  explicit Recorders(Context& context) : context_(context) {}

  /// `rosters` of all ranks.
  void start(const std::vector<crew::Roster>& rosters);
  /// True when it was a recorder that has ended: it is settled.
  bool take(crew::Ended& ended);
  /// Ends them and waits for what they leave.
  void stop();

 private:
  Context& context_;
  std::map<std::string, int> recorders_;  ///< attempt -> rank
};

}  // namespace rackproof::run

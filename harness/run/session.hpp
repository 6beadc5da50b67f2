#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/run/context.hpp"
#include "harness/run/host_clocks.hpp"

namespace rackproof::run {

/// The ranks of a run come together, open their journals, and go again.
class Session {
 public:
  Session(Context& context, HostClocks& clocks) : context_(context), clocks_(clocks) {}

  /// Rendezvous. With `record`, every rank has its journal when this returns and the clocks are
  /// compared. Throws Refused: a rank of another version, one that cannot keep a journal, or a
  /// host that is to be tested and is not of this job.
  void open(bool record);
  /// One for each rank that came, rank 0 first.
  const std::vector<crew::Roster>& rosters() const { return rosters_; }
  /// Lets the other ranks go.
  void dismiss();

 private:
  void place_ranks(const std::vector<crew::Arrival>& arrivals);
  void choose_hosts(const std::vector<crew::Arrival>& arrivals);
  void open_journals();
  void describe_run();

  Context& context_;
  HostClocks& clocks_;
  std::vector<crew::Roster> rosters_;
  std::set<std::string> left_out_;  ///< hosts of the job that are not to be tested
};

}  // namespace rackproof::run

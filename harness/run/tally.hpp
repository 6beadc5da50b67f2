#pragma once

#include <map>
#include <set>
#include <string>

#include "harness/run/in_flight.hpp"
#include "harness/run/progress.hpp"

namespace rackproof::run {

/// How a group failed.
enum class GroupFault {
  kWrongAnswer,  ///< a member told one
  kWait,         ///< members waited: not done at the deadline, or somebody gave up
  kMember,       ///< a member failed by itself, or did not come
};

/// What is known of the step that is measured now.
struct Tally {
  std::map<std::size_t, int> last_number;    ///< of the attempts at each instance
  std::map<std::size_t, int> measured;       ///< attempts that counted, at each instance
  std::set<std::size_t> failed_instances;    ///< those whose last attempt ended badly
  std::map<std::size_t, GroupFault> faults;  ///< of the groups that failed last
  std::set<std::size_t>
      unexplained;  ///< those of them whose failure shows no one member as its cause
  /// Why the step could not do all it should, though the run goes on.
  model::Reason<model::StepReason> held_up;

  int begun = 0;     ///< attempts
  int repeated = 0;  ///< those of them that are not the first

  /// An attempt is begun.
  void count(const Pending& pending) {
    last_number[pending.instance] = pending.number;
    ++begun;
    if (pending.number > 1) ++repeated;
  }
  bool failed() const { return !failed_instances.empty() || !held_up.empty(); }
  /// The first reason stands.
  void hold_up(model::StepReason id, int rank, const Context& context);
};

/// What became of an attempt that may be worth another one.
struct Outcome {
  Pending next;                     ///< the attempt that would follow
  bool measured = false;            ///< it went well; else it failed in a way that may pass
  std::set<std::string> disturbed;  ///< hosts on which other programs ran meanwhile
};

}  // namespace rackproof::run

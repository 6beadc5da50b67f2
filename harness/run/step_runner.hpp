#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/run/group_runner.hpp"
#include "harness/run/host_loads.hpp"
#include "harness/run/recorders.hpp"
#include "harness/run/tally.hpp"

namespace rackproof::run {

/// What became of a part of a group.
struct PartRun {
  std::optional<GroupFault> fault;          ///< how it failed, if it did
  std::vector<model::Measurement> numbers;  ///< what its members measured
};

/// Measures one step at a time: all its instances, those again that others disturbed, that failed
/// in a way that may pass, or that decide nothing yet.
class StepRunner {
 public:
  StepRunner(Context& context, InFlight& in_flight, HostLoads& loads, Recorders& recorders)
      : context_(context),
        in_flight_(in_flight),
        loads_(loads),
        recorders_(recorders),
        groups_(context, in_flight, tally_) {}
  StepRunner(const StepRunner&) = delete;

  /// False when it could not be measured as often as it should be.
  bool run(const plan::PlacedStep& step);
  /// Of the step that is measured now, or was last.
  const Tally& tally() const { return tally_; }

  /// Starts an attempt, or the first member's where it is one at a group.
  void start(const Pending& next);
  /// Waits until nothing is in flight any more.
  void await();
  /// Runs these parts of a group that failed or is slow, all at once, in the given round. Gives
  /// what became of each; nothing where ranks were lost or the run was stopped meanwhile.
  std::optional<std::vector<PartRun>> try_parts(const plan::PlacedStep& parts, int round);
  /// Calls the ranks to the step that runs inside them; false where one did not answer.
  bool all_answer(const plan::PlacedStep& step);
  /// Runs it inside the ranks. Gives how many attempts it is worth by what is known then.
  int measure_in_ranks(const plan::PlacedStep& step, int number, bool confirms);

 private:
  /// An attempt that is to be repeated when these hosts are quiet.
  struct Postponed {
    Pending next;
    std::set<std::string> hosts;
  };

  void run_processes(const plan::PlacedStep& step);
  bool run_in_ranks(const plan::PlacedStep& step);
  void settle(crew::Ended& ended);
  void note_lost();
  void follow(const Outcome& outcome);
  void repeat_doubtful(const plan::PlacedStep& step);
  void repeat_disturbed();

  Context& context_;
  InFlight& in_flight_;
  HostLoads& loads_;
  Recorders& recorders_;
  Tally tally_;
  GroupRunner groups_;
  std::vector<Postponed> postponed_;
  std::vector<Pending> measured_;  ///< the next attempt, were it in doubt
  std::map<std::size_t, std::vector<model::Measurement>> part_numbers_;  ///< by instance
};

}  // namespace rackproof::run

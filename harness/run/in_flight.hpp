#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/plan/plan.hpp"
#include "harness/run/context.hpp"

namespace rackproof::run {

/// An attempt at an instance of a step, or at what belongs to none (step null).
struct Pending {
  const plan::PlacedStep* step = nullptr;
  std::size_t instance = 0;
  int number = 1;
  int rank = 0;
  int member = 0;          ///< of the instance, when it is a group
  std::string group = {};  ///< name of the group of processes, empty for others
  bool confirms = false;   ///< it is measured again for the sake of its peers
  bool narrows = false;    ///< a part of a group that failed: nothing of what it measures counts
  double due = 0;          ///< by then its rank has said how it ended, or never will
};

/// The instance of a step that this is an attempt at.
inline const plan::Instance& instance_of(const Pending& pending) {
  return pending.step->instances[pending.instance];
}

/// The order for an attempt at a step.
crew::Order order_for(const Pending& pending, const Context& context);

/// Attempts that were ordered and whose ranks have not said yet how they ended.
class InFlight {
 public:
  explicit InFlight(Context& context) : context_(context) {}

  /// Orders the attempt.
  void start(const crew::Order& order, const Pending& pending);
  /// The attempt is ordered by other means.
  void expect(const crew::Order& order, Pending pending);
  /// Removes it; nothing for one that is not expected.
  std::optional<Pending> take(const std::string& attempt);
  /// Null for one that is not expected. Valid until the next change.
  const Pending* find(const std::string& attempt) const;
  bool empty() const { return pending_.empty(); }
  /// Those at steps.
  int at_steps() const;
  bool has_group(const std::string& group) const;
  std::vector<Pending> of_rank(int rank) const;
  void forget_rank(int rank);
  /// Asks them to end: all, or those of a group.
  void cancel(const model::Reason<model::CancelReason>& by) const;
  void cancel_group(const std::string& group, const model::Reason<model::CancelReason>& by) const;
  /// Gives up every rank that owes an ending for too long. Throws WardenError when it is rank 0.
  void lose_overdue();

 private:
  Context& context_;
  std::map<std::string, Pending> pending_;  ///< by attempt
};

}  // namespace rackproof::run

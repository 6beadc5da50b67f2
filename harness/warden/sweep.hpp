#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

#include "harness/warden/control_group.hpp"
#include "reports/model/states.hpp"

namespace rackproof::warden {

/// An attempt that lives beside one that has ended.
struct LiveAttempt {
  pid_t leader = -1;
  std::string nonce;
  bool starts_others = true;  ///< false for what is known to start no process
};

/// What an attempt has left behind, while it is being killed: whatever is in its control group,
/// and whatever has become a child of this process, which must be a child subreaper. An orphan is
/// known by its process group or the nonce in its environment; one that hides both belongs to the
/// attempt that ends when no other may have started it.
class Sweep {
 public:
  /// `group` may be null; it must outlive this.
  Sweep(pid_t leader, std::string nonce, ControlGroup* group);

  /// Whether anything is left now that is not dead; kills nothing.
  bool any_left(const std::vector<LiveAttempt>& others);
  /// Goes round until two rounds in a row find nothing, which gives true, or a moment has passed:
  /// then it is to be called again soon.
  bool go_round(const std::vector<LiveAttempt>& others);

  /// How many processes were killed, none counted twice.
  int killed() const { return static_cast<int>(killed_.size()); }
  /// What one that is not dead yet is doing.
  const model::Reason<model::ProcessState>& last_state() const { return last_state_; }

 private:
  bool find_any(const std::vector<LiveAttempt>& others);
  std::vector<pid_t> roots(const std::vector<LiveAttempt>& others,
                           const std::set<pid_t>& kept_groups);
  bool is_ours(pid_t orphan, const std::vector<LiveAttempt>& others) const;
  bool end(pid_t root, const std::set<pid_t>& kept_groups);
  bool kill_group();

  pid_t leader_;
  std::string nonce_;
  ControlGroup* group_;
  int quiet_ = 0;  ///< rounds in a row that found nothing
  std::set<pid_t> killed_;
  model::Reason<model::ProcessState> last_state_;
};

/// Kills whatever is below a process, which must be a child subreaper that starts nothing any more,
/// until two rounds find nothing or that takes too long.
void end_all_below(pid_t root);

/// Kills, as far as they can be told, the children of this process that it has from a warden that
/// is gone: those of its session and those with the nonce of an attempt.
void end_orphans_of(pid_t warden);

}  // namespace rackproof::warden

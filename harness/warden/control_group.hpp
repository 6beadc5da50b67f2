#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/support/fd.hpp"

namespace rackproof::warden {

/// A control group of version 2 that holds what one attempt starts, at any depth: no process of it
/// can leave it by forking, by a session of its own or by another environment.
class ControlGroup {
 public:
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  /// The folder, for a process that is to be born in it.
  int folder() const { return folder_.get(); }
  /// True while a process of it, or of a group below it, lives.
  bool populated() const;
  /// The processes in it and in the groups below it.
  std::vector<pid_t> members() const;
  /// Kills all of them at once, those that are being forked too.
  void kill_all();

 private:
  friend class ControlGroups;
  ControlGroup(std::string path, support::Fd folder);

  std::string path_;
  support::Fd folder_;
  bool killed_ = false;
};

/// The control groups that a warden makes below its own, where it may. One is used again by the
/// next attempt: making one takes longer than starting a program.
class ControlGroups {
 public:
  /// `root` stands before /proc and where the hierarchy is mounted.
  explicit ControlGroups(std::string root = "");

  /// An empty group; null where none can be made.
  std::unique_ptr<ControlGroup> take();
  /// For the next attempt, unless something still lives in it or had to be killed in it: some
  /// kernels kill whatever is born there later, too (seen with 6.18).
  void give_back(std::unique_ptr<ControlGroup> group);

 private:
  std::string root_;
  std::string parent_;  ///< empty: none can be made
  bool looked_ = false;
  int made_ = 0;
  std::vector<std::unique_ptr<ControlGroup>> free_;
};

/// Kills what lives in the groups that a process made which is gone, and removes them. Those of a
/// process with the same number in another PID namespace are somebody else's.
void clear_control_groups_of(pid_t warden);

}  // namespace rackproof::warden

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "reports/model/host_load.hpp"
#include "reports/model/progress.hpp"
#include "reports/model/report.hpp"
#include "reports/model/states.hpp"

/// What a journal holds: a type for each kind of line. reports/schema/journal.schema.json says how
/// they are written, entry_json.hpp writes and reads them. `t` is seconds since the journal was
/// opened, or since the run began where rank 0 says what happened to it.
namespace rackproof::journal {

/// Host and device of each member of a group, in the order of members.
using Ends = std::vector<std::pair<std::string, std::string>>;

/// What is known of an attempt before it begins: who runs what for whom.
struct Head {
  std::string step = {};
  int number = 1;
  bool confirms = false;  ///< see model::Attempt
  bool narrows = false;   ///< see model::Attempt
  int rank = 0;
  int member = 0;
  int members = 0;
  std::string host = {};
  model::Subject subject = {};
  std::string bench = {};
  std::string backend = {};
  std::vector<std::string> arguments = {};
  std::string device = {};  ///< the one that it is given; empty: none, or several
  Ends ends = {};  ///< for the member that speaks for its group: links are told by member numbers

  bool operator==(const Head&) const = default;
};

/// The first line: who keeps this journal.
struct Open {
  std::string run = {};
  int segment = 0;
  int rank = 0;
  int size = 0;
  int local_rank = 0;
  std::string host = {};
  std::int64_t pid = 0;
  std::string version = {};
  std::string commit = {};
  std::string boot = {};   ///< the kernel's id of the boot of its host; empty: not known
  double monotonic_s = 0;  ///< CLOCK_MONOTONIC of its host; 0: not known
  std::string utc = {};

  bool operator==(const Open&) const = default;
};

// From rank 0, before the first step.

/// A segment of a run begins: all that follows tells the whole run anew.
struct Run {
  model::ToolInfo tool = {};
  model::RunInfo run = {};
  model::SuiteInfo suite = {};

  bool operator==(const Run&) const = default;
};

/// Before `run`: what earlier segments measured counts no more, unless a line `kept` says so.
struct Repair {
  model::Amends amends = {};

  bool operator==(const Repair&) const = default;
};

/// What of earlier segments counts after a repair: attempts of a step at some subjects.
struct Kept {
  std::string step = {};
  bool done = false;                       ///< nothing of the step is measured again
  std::vector<std::string> subjects = {};  ///< model::label() of each

  bool operator==(const Kept&) const = default;
};

struct Causes {
  model::CauseTable table = {};

  bool operator==(const Causes&) const = default;
};

struct Rank {
  int rank = 0;
  bool arrived = false;
  std::string host = {};  ///< of one that arrived, as is pid
  std::int64_t pid = 0;
  int local_rank = 0;        ///< of one that has a journal
  std::string journal = {};  ///< its name in the run directory; empty: it has none

  bool operator==(const Rank&) const = default;
};

struct Node {
  model::NodeInventory node = {};

  bool operator==(const Node&) const = default;
};

struct Platform {
  model::PlatformTable table = {};

  bool operator==(const Platform&) const = default;
};

struct HostPlatform {
  std::string host = {};
  std::string platform = {};  ///< id of its table

  bool operator==(const HostPlatform&) const = default;
};

struct Bound {
  model::MetricBound bound = {};

  bool operator==(const Bound&) const = default;
};

struct PlanStep {
  model::StepInfo step = {};

  bool operator==(const PlanStep&) const = default;
};

struct Cell {
  model::Cell cell = {};

  bool operator==(const Cell&) const = default;
};

/// The plan is whole: it has so many steps and cells.
struct Planned {
  std::int64_t steps = -1;  ///< below 0: not told
  std::int64_t cells = -1;

  bool operator==(const Planned&) const = default;
};

struct History {
  model::History history = {};

  bool operator==(const History&) const = default;
};

// From rank 0, as it happens.

struct Finding {
  model::Finding finding = {};

  bool operator==(const Finding&) const = default;
};

/// A step of the suite has come so far.
struct Step {
  std::string id = {};
  model::StepState state = model::StepState::kNotReached;
  model::Reason<model::StepReason> reason = {};
  double t = 0;

  bool operator==(const Step&) const = default;
};

/// Ranks that did not come to a step of all ranks.
struct RollCall {
  std::string step = {};
  std::vector<int> missing = {};
  double t = 0;

  bool operator==(const RollCall&) const = default;
};

/// Rank 0 gave up a rank.
struct RankLost {
  int rank = 0;
  std::string host = {};
  std::string why = {};
  std::string reached = {};  ///< the last step that it reached; empty: none
  double t = 0;

  bool operator==(const RankLost&) const = default;
};

/// The run was asked to stop. Written at once: the launcher may grant one second.
struct Stopping {
  std::string reason = {};
  double t = 0;
  std::string utc = {};

  bool operator==(const Stopping&) const = default;
};

/// The end of the run.
struct Ended {
  bool completed = false;
  bool interrupted = false;
  double seconds = 0;
  std::string utc = {};

  bool operator==(const Ended&) const = default;
};

// From the warden: three kinds for each attempt, and the last line of the journal.

struct Begin {
  std::string attempt = {};
  double t = 0;
  std::optional<Head> head = {};  ///< nothing: none that can be read
  double deadline_s = 0;
  std::int64_t pid = 0;

  bool operator==(const Begin&) const = default;
};

/// A line that it printed.
struct Out {
  std::string attempt = {};
  std::string text = {};
  bool whole = true;  ///< it had a newline
  bool utf8 = true;   ///< as it was printed; `text` is UTF-8 in any case once it was written

  bool operator==(const Out&) const = default;
};

/// How it ended, as far as its warden can see.
struct End {
  std::string attempt = {};
  double t = 0;
  double seconds = 0;
  std::string spawn_error = {};                          ///< not empty: never started
  model::Reason<model::ProcessState> wedged_state = {};  ///< not empty: KILL did not end it
  int signal = 0;                                        ///< not 0: ended by it
  std::int64_t exit_code = 0;
  model::Reason<model::CancelReason> cancelled_by = {};
  bool timed_out = false;
  bool killed = false;                            ///< TERM was not enough
  model::Reason<model::ProcessState> state = {};  ///< when its deadline passed
  bool leaked = false;                            ///< something kept its descriptors open
  int leftovers = 0;                              ///< processes it left behind, killed
  std::int64_t oom_kills = 0;                     ///< meanwhile, in our memory cgroup
  std::int64_t dropped_lines = 0;
  std::int64_t out_bytes = 0;
  std::int64_t err_bytes = 0;
  std::string err = {};
  model::HostLoad load = {};                     ///< what else ran on the host meanwhile
  std::optional<model::Progress> progress = {};  ///< of a member of a group that did not end well

  bool operator==(const End&) const = default;
};

struct Close {
  double t = 0;
  std::string utc = {};
  model::Reason<model::CloseReason> reason = {};

  bool operator==(const Close&) const = default;
};

/// A line of a kind that is not known here, as another version may write.
struct Other {
  std::string j = {};
  double t = 0;

  bool operator==(const Other&) const = default;
};

using Entry = std::variant<Other, Open, Run, Causes, Rank, Node, Platform, HostPlatform, Bound,
                           PlanStep, Cell, Planned, History, Finding, Step, RollCall, RankLost,
                           Stopping, Ended, Begin, Out, End, Close, Repair, Kept>;

}  // namespace rackproof::journal

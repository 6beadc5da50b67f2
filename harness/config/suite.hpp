#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/config/finding_rules.hpp"
#include "reports/model/report.hpp"

namespace rackproof::config {

/// Where the processes of a step run: each GPU; once on each node; one group of all members; a
/// group on each node, all at once.
enum class Placement { kDevice, kNode, kWorld, kGroups };

/// What a group of processes is made of.
enum class Members { kDevices, kRanks };

/// Cells that a step is expected to deliver: one for each combination of the values in `each`. With
/// `for_each` "numa" one for each NUMA domain of a node that has several (parameter "domain" =
/// "numa0", "numa1", ...); with "device" one for each device of a node; with "link" one for each
/// pair of members of a group, or of devices of a node, the lower one first, and with "path" one
/// for each way of each pair. The text "$ranks" stands for the number of members of the group,
/// elsewhere of ranks in the run.
struct Expectation {
  std::string metric;
  std::map<std::string, std::vector<contract::Scalar>> each;
  std::string for_each;
  bool required = true;
  std::string waived;  ///< reason; the cells are `waived`
};

/// How suspects of a step are measured again: each alone on its host, or all of the step at once,
/// as it was: for loads whose heat is part of what they measure.
enum class Confirm { kAlone, kTogether };

/// One bench with arguments, a placement, a deadline, and what a failure stops.
struct Step {
  std::string id;
  std::string title;
  std::string bench;
  std::string backend;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> environment;
  Placement placement = Placement::kNode;
  Members members = Members::kDevices;
  /// Of a group whose links are measured: so many rounds of disjoint pairs, drawn by
  /// contract::Tournament; 0: every two meet. The bench is told with --rounds.
  int rounds = 0;
  bool needs_device = false;    ///< a process for the whole node runs only where there is a device
  double deadline_seconds = 0;  ///< of one attempt, TERM included
  double takes_seconds = 0;     ///< what one attempt is expected to take; 0: nobody says
  double grace_seconds = 5;     ///< between TERM and KILL
  double bring_up_seconds = 0;  ///< of a group: member 0 must have given its token by then
  int attempts = 1;             ///< at most this many, those of `repeat` among them
  int repeat = 1;               ///< so many measure it at least
  Confirm confirm = Confirm::kAlone;
  bool narrow = true;  ///< a group that fails is run in parts to find which member it is
  bool failure_stops_run = false;
  bool no_gpu_waives = false;       ///< cells of a host without a device are `waived`
  bool unavailable_waives = false;  ///< exit 3 of the bench: its cells are `waived`
  std::vector<Expectation> expect;
};

/// An ordered list of steps with a purpose and a time budget.
struct Suite {
  model::SuiteInfo info;  ///< id, title, digest, policy, suppressed findings
  std::string purpose;
  double time_budget_seconds = 0;
  /// How long the whole run waits, at most, for hosts to become quiet before it repeats what other
  /// programs disturbed.
  double quiet_wait_seconds = 60;
  std::vector<StopRule> stop;  ///< findings that end the run before it measures anything
  std::vector<Step> steps;
};

/// True for a step whose members are processes of their own, started together: a world or groups of
/// another backend than mpi.
bool is_process_group(const Step& step);

/// Reads a suite (JSON with comments) and checks it whole: shape, types, units, names, deadlines
/// that nest (every step's attempts within the budget, and what all steps are expected to take),
/// ids unique, at least one step, each expectation of a metric once. Throws ConfigError
/// (located_json.hpp) for the first thing wrong.
Suite load_suite(const std::string& path);

}  // namespace rackproof::config

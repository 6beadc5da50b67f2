#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "harness/config/comparison.hpp"
#include "harness/config/suite.hpp"
#include "harness/journal/entry.hpp"
#include "harness/plan/plan.hpp"
#include "harness/topology/attachment.hpp"
#include "reports/model/report.hpp"

namespace rackproof::resume {

/// The run cannot begin, and why: exit 2, nothing was measured.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There is nothing to do: nothing was measured or judged.
struct NothingOwed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A host that a resumed run leaves out, and what is known of it from before.
struct SetAside {
  std::string host;
  std::string why;
  std::optional<model::NodeInventory> node;
  std::string platform;  ///< id of its table, empty when it had none
};

/// How a run begins that amends the report of another one.
struct Amendment {
  model::Amends amends;
  std::vector<journal::Kept> kept;  ///< of the journals that it goes on from
};

/// What the user asked for.
struct Request {
  std::string run_id;
  int segment = 1;
  std::string directory;  ///< of the run, absolute: the other ranks keep their journals there
  config::Suite suite;
  std::vector<model::PlatformTable> tables;
  /// What there is to doubt in a table, by its id.
  std::map<std::string, std::vector<std::string>> table_warnings;
  config::ComparisonRules comparison;      ///< what is compared across the hosts; empty: nothing
  model::CauseTable causes;                ///< what explains cells; without rules: nothing
  std::vector<model::MetricBound> bounds;  ///< of any metrics; those of the plan count
  std::string forced_platform;             ///< id out of `tables`; empty: recognise
  bool force_platform = false;             ///< although its rules contradict a host's inventory
  plan::Selection selection;
  std::vector<std::string> only_hosts;      ///< of the job, each of which must be there; empty: all
  std::string only_hosts_of;                ///< what named them: "--only-host"
  std::string nothing_owed;                 ///< why there is nothing to do; empty: there is
  std::vector<std::string> left_out_hosts;  ///< of the earlier segment
  model::ToolInfo tool;
  std::vector<std::string> command;
  std::string launcher;
  std::map<std::string, std::string> labels;
  std::vector<model::History> history;  ///< of earlier runs, about any subject
  std::vector<std::string> required;    ///< kinds of hardware without which nothing is accepted
  model::Extent extent;                 ///< what is meant to be there
  std::map<std::string, std::string> accept_unjudged;  ///< claims that need not be held, and why
  std::vector<model::CellWaiver> waivers;              ///< what the site excuses for a time
  std::vector<topology::Attachment> topology;  ///< where adapters are connected, of any hosts
  double time_budget_seconds = 0;
  std::vector<std::string> in_rank_programs;
  bool mpi = false;
  bool record = false;                 ///< what each host does meanwhile
  std::set<std::string> done_steps;    ///< of an earlier segment
  std::set<std::string> failed_steps;  ///< those of them that did not go well
  /// Step and label of the subject of what was measured well in a step that was not done.
  std::set<std::pair<std::string, std::string>> done_subjects;
  std::vector<std::string> owed_cells;  ///< ids of the earlier segment's plan; empty: a new run
  std::vector<model::NodeInventory> earlier_nodes;  ///< as the earlier segment found them
  std::vector<SetAside> set_aside;                  ///< hosts that are not to come back
  std::vector<model::Cell>
      cells_before;  ///< the earlier segment's, as planned; with set_aside or repairs only
  std::vector<model::Repair> repairs;  ///< nothing else may have changed since the earlier segment
  std::optional<Amendment> amendment;  ///< of the segment that begins after them
  /// Set for a dry run on one rank: reads the inventory here instead of in a child.
  std::function<model::NodeInventory()> survey_here;
};

}  // namespace rackproof::resume

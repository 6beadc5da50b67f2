#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "harness/config/suite.hpp"
#include "reports/model/report.hpp"

namespace rackproof::plan {

/// A rank and where it sits.
struct RankPlace {
  int rank = 0;
  std::string host;
  int local_rank = 0;
};

/// What is there to run on.
struct Site {
  std::vector<RankPlace> ranks;  ///< by rank; one that did not come is missing
  /// Ranks of hosts that are not to be tested: they take part in nothing.
  std::vector<RankPlace> left_out = {};
  std::vector<model::NodeInventory> nodes;
  std::vector<std::string> in_rank_benches;  ///< "collectives-mpi": run inside the ranks
  bool mpi = false;                          ///< the ranks share an MPI job
  bool everyone = true;                      ///< every rank came
};

/// One thing to start: a process on one rank; a group, with the rank of each member, which runs it
/// as a process or, in-rank, itself.
struct Instance {
  model::Subject subject;
  std::vector<int> ranks;
  std::vector<std::string> devices;  ///< of a group whose members are devices: that of each member
};

/// One end of a link: a device, or "rank N" where members are ranks.
struct End {
  std::string host;
  std::string device;

  bool operator==(const End&) const = default;
};

struct PlacedStep {
  config::Step step;
  std::vector<Instance> instances;
  bool in_rank = false;
  bool group = false;  ///< its instances are groups of processes
};

/// Everything a run is expected to measure, listed before it begins.
struct Plan {
  std::vector<PlacedStep> steps;
  std::vector<model::Cell> cells;
  std::vector<model::StepInfo> infos;  ///< one for each step, left-out ones included
};

/// Which steps to keep: globs over step ids and program names ("stream-host"). No filter keeps all.
struct Selection {
  std::vector<std::string> filters;
  std::vector<std::string> excludes;
  std::set<std::string> left_out = {};  ///< ids of steps
  /// By the id of a step the hosts that it is kept to. In-rank steps are on all.
  std::map<std::string, std::vector<std::string>> only_on = {};
};

/// Pure. Node placement: local rank 0 of each host; device placement: device d of a host on its
/// local rank d mod local size. World: all members as one group, by host in the order of ranks,
/// then by device; groups: the members of each node as a group. Members are devices, or ranks where
/// the step says so or runs in-rank. A group of one is not started; its cells are waived, unless
/// others should have come. A host without a device keeps the cells of a step that wants devices,
/// about the node itself: silence would pass. They are waived when the step says so. Steps that the
/// selection leaves out keep no cell; their info says so. Where ranks are left out, that becomes of
/// in-rank steps, which are collective over all that the launcher started, and of a world of one.
Plan make_plan(const config::Suite& suite, const Site& site, const Selection& selection);

/// True for a step that runs on devices, alone, in groups or for their whole node.
bool wants_devices(const config::Step& step);

/// Host and device of every member of a group, in the order of members.
std::vector<End> members_of(const Instance& group, const Site& site);

/// True when the selection keeps the step.
bool selected(const config::Step& step, const Selection& selection);

/// What a selection can name: step ids and program names, in suite order.
std::vector<std::string> names(const config::Suite& suite);

/// The stable text that names a cell within a run.
std::string cell_id(const std::string& step, const model::Subject& subject,
                    const std::string& metric, const contract::Parameters& parameters);

/// The word used in reports for a placement.
std::string word(config::Placement placement);

}  // namespace rackproof::plan

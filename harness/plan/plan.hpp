#pragma once

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
  std::vector<RankPlace> ranks;  ///< by rank, without gaps
  std::vector<model::NodeInventory> nodes;
  std::vector<std::string> in_rank_benches;  ///< "collectives-mpi": run inside the ranks
  bool mpi = false;                          ///< the ranks share an MPI job
};

/// One thing to start: a process on one rank, or, in-rank, a call on each of several.
struct Instance {
  model::Subject subject;
  std::vector<int> ranks;
};

struct PlacedStep {
  config::Step step;
  std::vector<Instance> instances;
  bool in_rank = false;
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
};

/// Pure. Node placement: local rank 0 of each host; device placement: device d of a host on its
/// local rank d mod local size; world: all ranks as one group (cells waived when there is one
/// rank). A host without a device keeps the cells of a device step, about the node itself: silence
/// would pass. They are waived when the step says so. Steps that the selection leaves out keep no
/// cell; their info says so.
Plan make_plan(const config::Suite& suite, const Site& site, const Selection& selection);

/// True when the selection keeps the step.
bool selected(const config::Step& step, const Selection& selection);

/// What a selection can name: step ids and program names, in suite order.
std::vector<std::string> names(const config::Suite& suite);

/// The stable text that names a cell within a run.
std::string cell_id(const std::string& step, const model::Subject& subject,
                    const std::string& metric, const model::Parameters& parameters);

/// The word used in reports for a placement.
std::string word(config::Placement placement);

}  // namespace rackproof::plan

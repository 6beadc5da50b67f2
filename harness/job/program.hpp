#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/crew/order.hpp"
#include "harness/fleet/team.hpp"
#include "reports/model/planned_run.hpp"
#include "reports/model/report.hpp"

namespace rackproof::job {

/// This process: what it has, how it was called and what it can be in a job.
struct Program {
  config::Paths paths;
  std::map<std::string, std::string> environment;
  std::vector<std::string> command;  ///< as typed
  /// Joins the ranks of a launcher (fleet::make_mpi_team). Empty: this program has no MPI.
  std::function<std::unique_ptr<fleet::Team>(int expected_size)> make_mpi_team;
  std::vector<crew::InRank> in_rank;
};

/// How a run speaks to people.
struct Screen {
  std::function<std::size_t()> columns;  ///< of stderr now; empty: it is no terminal
  /// What is printed when a run has ended.
  std::function<std::string(const model::Report&)> closing;
  /// What is printed in place of a run.
  std::function<std::string(const model::PlannedRun&)> planned;
};

}  // namespace rackproof::job

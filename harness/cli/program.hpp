#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/fleet/team.hpp"
#include "harness/run/order.hpp"
#include "harness/support/errors.hpp"
#include "harness/support/exit_code.hpp"
#include "harness/support/print.hpp"

namespace rackproof::cli {

// What every verb throws, prints and gives.
using support::IntegrityError;
using support::print;
using support::UsageError;
using enum support::ExitCode;

/// Where this program's other files are, found from where it is itself: the same in the build tree
/// and after installation.
struct Paths {
  std::string self;       ///< what a child starts: never rackproof-mpi where rackproof is beside it
  std::string programs;   ///< libexec/rackproof
  std::string suites;     ///< share/rackproof/configs/suites
  std::string platforms;  ///< share/rackproof/configs/platforms
  std::string schemas;    ///< share/rackproof/schema
  std::string metrics;    ///< share/rackproof/metrics
  std::string comparison;  ///< share/rackproof/configs/comparison.json
  std::string causes;      ///< share/rackproof/configs/causes.json
};

Paths find_paths();

/// What every verb gets.
struct Program {
  Paths paths;
  std::map<std::string, std::string> environment;
  std::vector<std::string> command;  ///< as typed
  /// Joins the ranks of a launcher (fleet::make_mpi_team). Empty: this program has no MPI.
  std::function<std::unique_ptr<fleet::Team>(int expected_size)> make_mpi_team;
  std::vector<run::InRank> in_rank;
  std::string color = "auto";
};

/// Whether to colour what goes to `descriptor`: --color, NO_COLOR, terminal or not. Under a
/// launcher "auto" means no, whatever isatty says (mpirun gives ranks a pty).
bool use_color(const Program& program, int descriptor);
bool is_terminal(const Program& program, int descriptor);

/// A suite or platform named on the command line: a path when it has a slash or ends in .json, else
/// a name in `folder`. Throws UsageError with the nearest names.
std::string resolve_config(const std::string& name, const std::string& folder, const char* what);

}  // namespace rackproof::cli

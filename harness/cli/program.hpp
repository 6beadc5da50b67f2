#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "harness/config/installed.hpp"
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

/// Found from where this program is itself.
config::Paths find_paths();

/// What every verb gets.
struct Program {
  config::Paths paths;
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

}  // namespace rackproof::cli

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/fleet/team.hpp"
#include "harness/run/order.hpp"

namespace rackproof::cli {

/// The user asked for something that cannot be done: one line for people, exit 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file says something of itself that is not so: one line for people, exit 6.
struct IntegrityError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Where this program's other files are, found from where it is itself: the same in the build tree
/// and after installation.
struct Paths {
  std::string self;       ///< what a child starts: never rackproof-mpi where rackproof is beside it
  std::string programs;   ///< libexec/rackproof
  std::string suites;     ///< share/rackproof/configs/suites
  std::string platforms;  ///< share/rackproof/configs/platforms
  std::string schemas;    ///< share/rackproof/schema
  std::string benches;    ///< share/rackproof/benches
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

/// Names of files with this ending in a folder, without the ending, sorted.
std::vector<std::string> names_in(const std::string& folder, const std::string& ending);

/// A suite or platform named on the command line: a path when it has a slash or ends in .json, else
/// a name in `folder`. Throws UsageError with the nearest names.
std::string resolve_config(const std::string& name, const std::string& folder, const char* what);

/// The whole of a file. Throws UsageError: absent, a directory, unreadable, larger than 1 GiB.
std::string read_file(const std::string& path);

/// Writes to stdout and flushes; an error (a closed pipe, a full disk) is a std::runtime_error.
void print(const std::string& text);

/// Writes to stderr what may be lost: progress must never end a run, and a closed terminal is no
/// error.
void write_stderr(const std::string& text);

}  // namespace rackproof::cli

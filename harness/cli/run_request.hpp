#pragma once

#include <string>

#include "harness/cli/verbs.hpp"
#include "harness/fleet/launcher.hpp"
#include "harness/run/coordinator.hpp"

namespace rackproof::cli {

/// A run as rank 0 is going to make it: checked, but nothing started and nothing written yet.
struct PreparedRun {
  run::Request request;
  std::string out;            ///< run directory
  std::string suite_text;     ///< kept beside the report, for a resume and as evidence
  bool nothing_left = false;  ///< --resume of a run that is complete
};

/// Reads suite and tables, resolves options, looks at the run directory. Throws UsageError or
/// config::ConfigError; NothingSelected when the selection keeps no step.
PreparedRun prepare_run(const RunOptions& options, const Program& program,
                        const fleet::Launcher& launcher, double budget_override_seconds);

/// The selection matched nothing: exit 5.
struct NothingSelected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A name that no other run has: the time and some random digits.
std::string new_run_id();

/// Makes the directory of a new run and gives its name: `given`, or, when that is empty, `prefix`
/// and the time. Throws UsageError when it holds a run already or cannot be written.
std::string make_run_directory(const std::string& given, const std::string& prefix);

/// The folder of --allow-programs as an absolute path; empty without one.
std::string allowed_programs(const RunOptions& options);

/// Seconds for "90", "90 s", "10 min", "1.5 h". Throws UsageError.
double parse_seconds(const std::string& text);

}  // namespace rackproof::cli

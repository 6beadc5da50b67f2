#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/fleet/launcher.hpp"
#include "harness/job/program.hpp"
#include "harness/job/retest.hpp"
#include "harness/job/run_options.hpp"
#include "harness/run/coordinator.hpp"
#include "harness/support/fd.hpp"

namespace rackproof::job {

/// A run as rank 0 is going to make it: checked, but nothing started, and of the run directory only
/// the lock there.
struct PreparedRun {
  resume::Request request;
  std::string out;         ///< run directory
  std::string suite_text;  ///< kept beside the report, for a resume and as evidence
  /// What the part before this one was made with; a new run has none.
  std::optional<model::ToolInfo> tool_before;
  std::map<std::string, std::string> installed_benches;  ///< as of hash_benches()
  bool nothing_left = false;                             ///< --resume of a run that is complete
  std::optional<EarlierRun> earlier;  ///< of a retest: put into `out`, which belongs to this run
  support::Fd lock;                   ///< holds the run directory; empty for a dry run
};

/// Reads suite and tables, resolves options, looks at the run directory. Throws UsageError or
/// document::ConfigError; NothingSelected when the selection keeps no step.
PreparedRun prepare_run(const RunOptions& options, const Program& program,
                        const fleet::Launcher& launcher, double budget_override_seconds);

/// The selection matched nothing: exit 5.
struct NothingSelected : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The folder of --allow-programs as an absolute path; empty without one.
std::string allowed_programs(const RunOptions& options);

/// Seconds for "90", "90 s", "10 min", "1.5 h". Throws UsageError.
double parse_seconds(const std::string& text);

}  // namespace rackproof::job

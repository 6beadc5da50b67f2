#pragma once

#include <string>
#include <vector>

#include "harness/job/run_options.hpp"
#include "harness/resume/request.hpp"
#include "reports/model/report.hpp"

namespace rackproof::job {

/// A file of an earlier run, as it was read.
struct KeptFile {
  std::string name;  ///< in the run directory
  std::string bytes;
};

/// The run whose report is to be amended.
struct EarlierRun {
  model::Report report;
  std::string suite_text;
  std::string suite_file;
  std::vector<KeptFile> files;  ///< journals, recordings, its report and those that it amends
  std::string sha256;           ///< of the report
  int last_segment = 1;
};

/// Reads a run by its report. Throws UsageError unless its journals and recordings are those of the
/// report, by their digests, and give it again byte for byte: what was changed in a report or a
/// journal is not built on.
EarlierRun read_earlier_run(const std::string& path);

/// What --repaired, --reason and --ticket say, held against the inventories of the report. Throws
/// UsageError for a host or a part that is not in it.
std::vector<model::Repair> parse_repairs(const RetestOptions& options, const model::Report& before);

/// Makes the request one that amends the earlier run; `request.run_id` is the new one.
void amend(const EarlierRun& earlier, const RetestOptions& options, resume::Request& request);

/// Puts what the earlier run left into the directory of the new one. Throws support::StoreError.
void copy_earlier_run(const EarlierRun& earlier, const std::string& out);

}  // namespace rackproof::job

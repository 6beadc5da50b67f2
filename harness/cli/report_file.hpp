#pragma once

#include <string>

#include "harness/cli/program.hpp"
#include "harness/warden/store.hpp"
#include "reports/model/report.hpp"

namespace rackproof::cli {

/// Reads a report; a directory stands for its report.json. Throws UsageError.
model::Report load_report(const std::string& path);

/// The report out of the journals in a run directory. Throws UsageError when it holds no run.
model::Report assemble_directory(warden::Store& store, const std::string& directory);

/// The summary for people, as this program's stdout wants it.
std::string summary(const model::Report& report, const Program& program, bool all_cells);

}  // namespace rackproof::cli

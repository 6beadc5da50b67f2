#pragma once

#include <string>

#include "harness/cli/program.hpp"
#include "harness/warden/store.hpp"
#include "reports/model/report.hpp"
#include "reports/terminal/passed_cells.hpp"

namespace rackproof::cli {

/// Writes a file so that a crash leaves the old one or the new one.
void write_durably(const std::string& file, const std::string& text);

/// model::write_json() into a file of the store, part by part.
void write_json(warden::Store& store, const std::string& name, const model::Report& report);

/// The file of a report: a directory stands for its report.json.
std::string report_file(const std::string& path);

/// Throws UsageError when the report asks for judging that cannot be.
void require_policy(const model::Report& report, const std::string& file);

/// Reads a report (report_file). Throws UsageError.
model::Report load_report(const std::string& path);

/// The report out of the journals in a run directory. Throws UsageError when it holds no run.
model::Report assemble_directory(warden::Store& store, const std::string& directory);

/// The last line of show, check and verify: "ACCEPTED 18 hosts, 72 GPUs: why", with its newline.
std::string verdict_line(const model::Report& report);

/// The summary for people, as this program's stdout wants it.
std::string summary(const model::Report& report, const Program& program, bool all_cells);
/// What stands on the screen when a run has ended.
std::string closing_summary(const model::Report& report, const Program& program);
/// The same as summary() of a report whose passed cells are elsewhere.
std::string summary(const model::Report& report, const terminal::PassedCells& passed,
                    const Program& program);

}  // namespace rackproof::cli

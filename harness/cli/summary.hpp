#pragma once

#include <string>

#include "harness/cli/program.hpp"
#include "reports/model/report.hpp"
#include "reports/terminal/passed_cells.hpp"

namespace rackproof::cli {

/// The last line of show, check and verify: "ACCEPTED 18 hosts, 72 GPUs: why", with its newline.
std::string verdict_line(const model::Report& report);

/// The summary for people, as this program's stdout wants it.
std::string summary(const model::Report& report, const Program& program, bool all_cells);
/// What stands on the screen when a run has ended.
std::string closing_summary(const model::Report& report, const Program& program);
/// The same with how much of it is asked for: the verdict alone, what stands on the screen, all
/// that show prints, or that with every cell.
enum class Detail { kVerdict, kBrief, kSummary, kAll };

/// What a run prints: job::Screen of this program. A plan is a document with `json`.
job::Screen screen_of(const Program& program, Detail detail = Detail::kBrief, bool json = false);
/// The same as summary() of a report whose passed cells are elsewhere.
std::string summary(const model::Report& report, const terminal::PassedCells& passed,
                    const Program& program);

}  // namespace rackproof::cli

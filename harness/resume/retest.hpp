#pragma once

#include <vector>

#include "harness/journal/entry.hpp"
#include "harness/resume/request.hpp"
#include "reports/model/report.hpp"

namespace rackproof::resume {

/// Whether a subject is what was repaired, or has it in it: a repaired host's GPUs, itself, its
/// links and every group with it; of a repaired GPU itself, its host, its links and every group
/// with its host.
bool is_repaired(const model::Subject& subject, const std::vector<model::Repair>& repairs);

/// What of a report still counts after a repair, step by step. Never what touches the repaired
/// part, what did not end well, or measured a cell that does not pass (or passes by a waiver
/// alone), nor what was begun before `oldest_unix` (seconds since 1970) or at a time that is not
/// known or after `now_unix`. Of a step over groups, or with a cell that its peers make suspect,
/// everything or nothing. Pure.
std::vector<journal::Kept> kept_after(const model::Report& before,
                                      const std::vector<model::Repair>& repairs, double oldest_unix,
                                      double now_unix);

/// Subjects whose answers were wrong, or whose hardware failed meanwhile, and that no repair is
/// about: such a thing is never tried again until it passes.
std::vector<std::string> wrong_elsewhere(const model::Report& before,
                                         const std::vector<model::Repair>& repairs);

/// Makes the request one that goes on after the run that the report is about as another run, which
/// amends it.
void retest_from(const model::Report& before, const model::Amends& amends,
                 std::vector<journal::Kept> kept, Request& request);

}  // namespace rackproof::resume

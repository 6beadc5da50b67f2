#pragma once

#include <string>
#include <vector>

#include "harness/resume/request.hpp"

namespace rackproof::job {

/// Keeps a new run to what did not pass in the report (a directory stands for its report.json):
/// steps and hosts. Programs `in_rank` run
/// on all hosts or not at all. Where everything passed it says so in `request.nothing_owed`. Throws
/// UsageError for a report of another suite, or without a plan.
void select_failed(const std::string& report, const std::vector<std::string>& in_rank,
                   resume::Request& request);

}  // namespace rackproof::job

#pragma once

#include "reports/model/report.hpp"

#include "harness/config/installed.hpp"

namespace rackproof::rejudge {

/// The exit code for the verdict of a report as it was written. One of a schema version that asked
/// for no limit does not prove what "accepted" says: kVerified.
int verdict_code(const model::Report& report);

/// Tables of such a report do not say which limits came from a generic one. The installed tables
/// do; what none of them has written counts as generic. Nothing happens to a later report.
void mark_generic_limits(model::Report& report, const config::Paths& paths);

}  // namespace rackproof::rejudge

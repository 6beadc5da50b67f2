#pragma once

#include "reports/model/report.hpp"
#include "reports/openmetrics/families.hpp"

namespace rackproof::openmetrics {

/// What is known of the run as a whole: the verdict, claims, when it was, cells by outcome,
/// findings by severity. Its labels but that of the rack are on rackproof_run_info, as
/// label_<name>.
void add_run(Families& families, const model::Report& report);

}  // namespace rackproof::openmetrics

#pragma once

#include "harness/config/metrics.hpp"
#include "harness/plan/plan.hpp"
#include "reports/model/planned_run.hpp"

namespace rackproof::job {

/// The plan with what each cell would be held to. `report` is that of the run so far: inventories,
/// tables, steps and cells, no measurement. Pure.
model::PlannedRun planned_run(const plan::Plan& plan, const model::Report& report,
                              const config::MetricCatalogue& catalogue);

}  // namespace rackproof::job

#pragma once

#include "reports/model/report.hpp"

namespace rackproof::cause {

/// Says beside each cell that failed, and each that is untested although it was tried, what its
/// report's cause table finds in the evidence: what was recorded while it ran, facts of its hosts
/// and devices, findings about them. In the order of the table, a rule once: of several subjects
/// the one where it fits best, and how many more. Without any, model::kNoCauseSeen or
/// model::kNotRecorded. Replaces what an earlier explanation said; without a table no cell has
/// causes. Pure: reads nothing but the report. Verdicts do not depend on it, and must be there.
void explain(model::Report& report);

}  // namespace rackproof::cause

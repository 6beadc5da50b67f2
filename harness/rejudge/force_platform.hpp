#pragma once

#include "reports/model/report.hpp"

namespace rackproof::rejudge {

/// Has every host of `report` judged by `table` from now on, and says so in its findings. Throws
/// UsageError when a host of the report contradicts the rules of the table, or when the report was
/// judged by another edition of it (the same id, another digest), unless `insist`: then the
/// findings say what does not fit.
void force_platform(model::Report& report, const model::PlatformTable& table, bool insist);

}  // namespace rackproof::rejudge

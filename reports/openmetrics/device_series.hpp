#pragma once

#include "reports/model/report.hpp"
#include "reports/openmetrics/families.hpp"

namespace rackproof::openmetrics {

/// Where each device is and what it is: rackproof_device_info, 1, to be joined by host and device
/// (the UUID) with series of its cells. What nobody could read is no label. One for each UUID of a
/// host, so that a join never finds two.
void add_devices(Families& families, const model::Report& report);

}  // namespace rackproof::openmetrics

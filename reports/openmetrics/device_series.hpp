#pragma once

#include "reports/model/report.hpp"
#include "reports/openmetrics/families.hpp"
#include "reports/openmetrics/told.hpp"

namespace rackproof::openmetrics {

/// Where each device is and what it is: rackproof_device_info, 1, to be joined by host and device
/// (the UUID) with series of its cells. What nobody could read is no label. One for each UUID of a
/// host, so that a join never finds two. Where not all cells are told, those of devices with cells
/// that are; rackproof_devices_left_out says how many others there are.
void add_devices(Families& families, const model::Report& report, const Told& told);

}  // namespace rackproof::openmetrics

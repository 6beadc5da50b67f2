#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::openmetrics {

/// The run in the OpenMetrics text format 1.0, which Prometheus' older one reads as well: gauges
/// alone and no timestamps, as the textfile collector wants it. The verdict, cells by outcome,
/// findings by severity; for each device, node and group the judged number of each cell, in a
/// family named after metric and unit, its ratio to what was expected, and whether it passed. Of
/// the links of a host the worst is told, and how many failed: a rack has too many pairs for a
/// series each. Pure.
std::string render(const model::Report& report);

}  // namespace rackproof::openmetrics

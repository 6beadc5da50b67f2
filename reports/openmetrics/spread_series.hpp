#pragma once

#include "reports/model/report.hpp"
#include "reports/openmetrics/families.hpp"

namespace rackproof::openmetrics {

/// How the judged numbers of all cells with one step, metric and parameters lie, links apart:
/// least, 5, 50 and 95 % quantile (between two numbers on the line that joins them, as PromQL's
/// quantile() does), and most, of the numbers and of their ratios; and the limits, where all have
/// the same.
void add_spreads(Families& families, const model::Report& report);

/// Cells of each host, of its devices and of the links that begin there, by outcome: required ones,
/// and others where there are some. A cell of a group is no host's.
void add_host_cells(Families& families, const model::Report& report);

}  // namespace rackproof::openmetrics

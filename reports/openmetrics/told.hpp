#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "reports/model/report.hpp"
#include "reports/openmetrics/families.hpp"
#include "reports/openmetrics/openmetrics.hpp"

namespace rackproof::openmetrics {

/// Which cells get series of their own. Links never do.
struct Told {
  std::vector<const model::Cell*> cells;
  bool all = true;                                 ///< all of them, and all devices
  std::map<model::Outcome, std::size_t> left_out;  ///< series that others would have, by outcome
};

/// Refers to the report.
Told told_of(const model::Report& report, Details details);

/// What is left out as a series: 0 where nothing is, so that a cell that is missing is never taken
/// for one that passed.
void add_left_out(Families& families, const Told& told);

}  // namespace rackproof::openmetrics

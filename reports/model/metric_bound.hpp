#pragma once

#include <string>
#include <vector>

#include "reports/model/measurement.hpp"

namespace rackproof::model {

/// What no number of a metric can be better than: `most` times the first of `facts` that the table
/// or the inventory of a host states; without facts, `most` itself in the unit of the metric, on
/// any machine.
struct MetricBound {
  std::string metric;
  std::vector<std::string> backends;
  Parameters where = {};  ///< only cells with these; a text may be a glob
  std::string unit;       ///< a base unit
  Better better = Better::kMore;
  std::vector<std::string> facts = {};
  double most = 1;
  std::string reason = {};  ///< why not just the fact, or why that number

  bool operator==(const MetricBound&) const = default;
};

}  // namespace rackproof::model

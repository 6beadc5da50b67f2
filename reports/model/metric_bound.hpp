#pragma once

#include <string>
#include <vector>

#include "reports/model/measurement.hpp"

namespace rackproof::model {

/// What no number of a metric can be better than: `most` times the first of `facts` that the table
/// or the inventory of a host states; without facts, `most` itself in the unit of the metric, on
/// any machine. And how steady its numbers are where nothing disturbs them; 0 where nobody says.
struct MetricBound {
  std::string metric;
  std::vector<std::string> backends;
  contract::Parameters where = {};  ///< only cells with these; a text may be a glob
  std::string unit;                 ///< a base unit
  contract::Better better = contract::Better::kMore;
  std::vector<std::string> facts = {};
  double most = 1;
  std::string reason = {};  ///< why not just the fact, or why that number
  double spread = 0;        ///< the third quartile of the samples over the first, at most
  std::vector<std::string> sisters = {};  ///< metrics that give like numbers with like parameters
  double apart = 0;                       ///< the largest of the sisters over the least, at most

  bool operator==(const MetricBound&) const = default;
};

}  // namespace rackproof::model

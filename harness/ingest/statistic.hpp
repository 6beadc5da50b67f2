#pragma once

#include <string>
#include <vector>

#include "benches/protocol/record.hpp"

namespace rackproof::ingest {

/// Why the value of a metric is not the statistic of these samples that it says it is: empty when
/// it is. A single value lies among its samples, a median between the two middle ones of an even
/// number, a percentile between the neighbours of its nearest rank.
std::string problem_of_value(const protocol::Metric& metric, const std::vector<double>& samples);

}  // namespace rackproof::ingest

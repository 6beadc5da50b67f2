#pragma once

#include <string>
#include <vector>

#include "benches/protocol/record.hpp"
#include "reports/model/measurement.hpp"

namespace rackproof::wire {

/// The words of records as those of reports.
model::Better convert(protocol::Better better);
model::Statistic convert(protocol::Statistic statistic);

/// Why the value of a metric is not the statistic of these samples that it says it is: empty when
/// it is. A single value lies among its samples, a median between the two middle ones of an even
/// number, a percentile between the neighbours of its nearest rank.
std::string problem_of_value(const protocol::Metric& metric, const std::vector<double>& samples);

}  // namespace rackproof::wire

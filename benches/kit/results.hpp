#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/protocol/record.hpp"

namespace rackproof::kit {

/// A check, which passed when something was compared and nothing is wrong.
protocol::Check check_of(std::string name, std::string detail, std::int64_t compared = 0,
                         std::int64_t wrong = 0,
                         std::optional<protocol::FirstWrong> first_wrong = std::nullopt);

/// Decides the same of a check that was counted up piece by piece since.
void decide(protocol::Check& check);

/// A number that is proved by `check`, without its value. It is about this node; see below.
protocol::Metric metric_of(std::string name, std::string unit, contract::Better better,
                           std::string check);

/// Takes the samples, in the order they were taken, and as the value this statistic of them: of a
/// single value, of the best, the worst and of p99 by what is better for the metric. Throws
/// std::invalid_argument without samples, for more than one of kValue, and for a statistic that no
/// record carries.
void put_samples(protocol::Metric& metric, contract::Statistic statistic,
                 std::vector<double> samples);

/// About a device, by its UUID; about all members of the group.
protocol::Subject device_subject(std::string uuid);
protocol::Subject group_subject();

}  // namespace rackproof::kit

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// "1 cell", "2 cells".
std::string counted(std::size_t count, std::string_view one);

/// "stream.triad type=double threads=8".
std::string what_of(const Cell& cell);
std::string what_of(const std::string& metric, const contract::Parameters& parameters);

/// The unit of the cell's number: that of its last measurement, empty when there is none.
std::string unit_of(const Cell& cell);

/// ">= 10 GB/s", "<= 5 us", "10 GB/s to 12 GB/s", or empty.
std::string limit_of(const Cell& cell);
std::string limit_text(const std::optional<double>& low, const std::optional<double>& high,
                       const std::string& unit);

/// "8.12 GB/s (median), limit >= 10.2 GB/s, 79.6 % of expected, 95 % interval 8.1 GB/s to 8.2
/// GB/s"; empty without a number.
std::string numbers_of(const Cell& cell);

/// "platform-floor: below the least that ...": why the verdict is what it is.
std::string reason_of(const Cell& cell);

/// "seen: node1/GPU-1a2b: power cap 600 W ...; nothing was seen": what was found beside a cell that
/// did not pass; empty when nobody looked.
std::string causes_of(const Cell& cell);

}  // namespace rackproof::model

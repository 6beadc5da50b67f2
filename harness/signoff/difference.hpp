#pragma once

#include <string>
#include <string_view>

namespace rackproof::signoff {

/// Where a report differs first from what it should be, given in canonical form: "line 12,
/// /cells/3/metric: has ..., expected ...". Empty when they are the same.
std::string first_difference(std::string_view report, std::string_view expected);

}  // namespace rackproof::signoff

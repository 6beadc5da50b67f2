#pragma once

#include <string>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// The label of a run by which its rack is known.
inline constexpr const char* kRackLabel = "rack";

/// By which a rack is known in monitoring, where two racks in one place must stay two: the run's
/// label of that name; where it has none the first host, or else the id of the run.
std::string rack_of(const Report& report);

}  // namespace rackproof::model

#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge {

/// "gb-07: all 15 links of gb-07 to other hosts failed in ...; ": the parts that failed links have
/// in common, by the findings slow-host and localised, to be said before the links themselves. A
/// device of which cells of its own failed is left out: they say it. Empty where there is none.
std::string common_parts(const model::Report& report,
                         const std::vector<const model::Cell*>& failed);

}  // namespace rackproof::judge

#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::judge {

/// "gb-07 GPU 2 (0008:01:00.0): each part of world (18 hosts) with it failed; ": the members that
/// were found by running failed groups in parts, by the findings bad-member. Empty where there is
/// none.
std::string bad_members(const model::Report& report);

/// "gb-07: all 15 links of gb-07 to other hosts failed in ...; ": the parts that failed links have
/// in common, by the findings slow-host and localised, to be said before the links themselves. A
/// device of which cells of its own failed is left out: they say it. Empty where there is none.
std::string common_parts(const model::Report& report,
                         const std::vector<const model::Cell*>& failed);

}  // namespace rackproof::judge

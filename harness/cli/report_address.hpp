#pragma once

#include <string>

namespace rackproof::cli {

/// What a reader of a page in `folder` wants to see of a run: the page beside its report, else the
/// report, if they are still there; empty: nothing is. `report` is a path in full.
std::string report_address(const std::string& report, const std::string& folder);

}  // namespace rackproof::cli

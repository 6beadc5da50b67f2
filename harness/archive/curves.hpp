#pragma once

#include <string>
#include <vector>

#include "reports/html/html.hpp"

namespace rackproof::archive {

/// Of the cells that failed, the likeliest culprits first, what was recorded around their last
/// measurement, out of the recordings in the report's folder. Only out of recordings that are still
/// those of the report, by their digest; without them, nothing. Reads no other file than those that
/// a run writes.
std::vector<html::CellCurves> curves_of(const model::Report& report, const std::string& folder);

}  // namespace rackproof::archive

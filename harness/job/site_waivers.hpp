#pragma once

#include <string>
#include <vector>

#include "reports/model/cell_waiver.hpp"

namespace rackproof::job {

/// The waivers of --waive, in its order: what ends in .json is a file of them, anything else is one
/// in a line. Throws UsageError, and ConfigError for a file.
std::vector<model::CellWaiver> waivers_of(const std::vector<std::string>& given);

}  // namespace rackproof::job

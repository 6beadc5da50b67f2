#pragma once

#include <string>

#include "reports/model/platform_table.hpp"

namespace rackproof::config {

/// The file of a platform table (configs/README.md), with the id of the table that it extends, or
/// nothing when that is empty. Figures are in base units. What load_platform() makes of it has the
/// same rules, baselines and waivers, with names for baselines that have none. The same table gives
/// the same bytes. A table with facts or expectations is a std::invalid_argument: nothing here
/// writes one.
std::string table_text(const model::PlatformTable& table, const std::string& extends);

}  // namespace rackproof::config

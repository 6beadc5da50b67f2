#pragma once

#include <string>

#include "reports/model/platform_table.hpp"

namespace rackproof::config {

/// Reads a platform table (JSON with comments) and folds in what it `extends`: `NAME.json` beside
/// it, then in `search_directory`. A baseline of the table replaces an inherited one of the same
/// metric, parameters and node range; values become base units. Refuses a figure without source, a
/// unit of another dimension, a missing or negative tolerance, duplicate ids, circular `extends`.
/// Throws ConfigError (located_json.hpp).
model::PlatformTable load_platform(const std::string& path, const std::string& search_directory);

}  // namespace rackproof::config

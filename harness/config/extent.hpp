#pragma once

#include <string>

#include "harness/document/reader.hpp"
#include "reports/model/extent.hpp"

namespace rackproof::config {

/// What a suite or a table says of what should be there: {"hosts": 18, "gpus": 72}.
model::Extent read_extent(const document::Field& field);

/// A list of assets (JSON with comments, rackproof/assets/1): hosts, their serial numbers, and
/// the serial numbers or UUIDs of their GPUs. Throws ConfigError.
model::Extent load_assets(const std::string& path);

/// The words of --expect, "hosts=18,gpus=72". Throws std::invalid_argument, which says what was
/// expected.
model::Extent parse_extent(const std::string& words);

}  // namespace rackproof::config

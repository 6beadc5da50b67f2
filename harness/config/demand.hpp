#pragma once

#include "harness/config/reader.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::config {

/// Puts the entries of "demand" before those that the table inherits, which hold as well.
void fold_demands(const Field& field, model::PlatformTable& table);

}  // namespace rackproof::config

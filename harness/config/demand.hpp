#pragma once

#include "harness/document/reader.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::config {

/// Puts the entries of "demand" before those that the table inherits, which hold as well.
void fold_demands(const document::Field& field, model::PlatformTable& table);

}  // namespace rackproof::config

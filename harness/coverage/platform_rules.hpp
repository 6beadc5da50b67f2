#pragma once

#include <string>

#include "reports/model/platform_table.hpp"

namespace rackproof::coverage {

/// For the page of platforms: by which facts a table is recognised and what it expects of them.
std::string rules_text(const model::PlatformTable& table);

/// What the table itself demands of measurements; empty where nothing.
std::string demands_text(const model::PlatformTable& table);

}  // namespace rackproof::coverage

#pragma once

#include <string>

#include "harness/redaction/redaction.hpp"

namespace rackproof::redaction {

/// The key of the map in this file, so that a host has the same alias in several reports; a new one
/// where there is no such file. Throws UsageError when it is no map of aliases.
std::string key_of_map(const std::string& map);

/// The map as it is to be written: `aliases`, and what an earlier map in this file knows, which is
/// the way back from earlier reports.
std::string map_text(const std::string& map, const Aliases& aliases);

}  // namespace rackproof::redaction

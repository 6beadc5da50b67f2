#pragma once

#include <string_view>

namespace rackproof::catalogue {

/// The base unit of a fact of the inventory or of a platform table: what the list of facts says,
/// and what the end of its name says of any other ("peak.gpu.memory_bytes_per_second"). Empty for a
/// text, and for a name that says nothing of a unit.
std::string_view unit_of_fact(std::string_view name);

}  // namespace rackproof::catalogue

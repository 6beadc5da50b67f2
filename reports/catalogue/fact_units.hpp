#pragma once

#include <string_view>

namespace rackproof::catalogue {

/// The base unit of a fact of the inventory or of a platform table, "count" for what is counted or
/// numbered; empty for a name that no inventory gives and whose end says nothing of a unit.
std::string_view unit_of_fact(std::string_view name);

}  // namespace rackproof::catalogue

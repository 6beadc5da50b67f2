#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::warden {

/// True for a variable that a child must not inherit: a launcher's own (a child that sees them
/// takes itself for a rank), thread counts and bindings (a child must see the whole machine),
/// LD_PRELOAD.
bool is_stripped(std::string_view name);

/// The environment of a child as NAME=VALUE: ours without what is_stripped() names, with `set` on
/// top.
std::vector<std::string> child_environment(char** ours,
                                           const std::map<std::string, std::string>& set);

}  // namespace rackproof::warden

#pragma once

#include <string_view>

namespace rackproof::model {

/// Shell-like match of a whole text: `*` any run of characters, `?` any one. Linear in practice, never
/// recursive.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace rackproof::model

#pragma once

#include <string_view>

namespace rackproof::model {

/// Shell-like match of a whole text: `*` any run of bytes (an empty one too), `?` any one byte;
/// nothing else is special. Never recursive; at worst pattern length times text length.
bool glob_match(std::string_view pattern, std::string_view text);

}  // namespace rackproof::model

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rackproof::align {

/// Throws UsageError: "FILE:LINE: FOUND: expected EXPECTED"; line 0 is the file as a whole.
[[noreturn]] void bad_input(std::string_view file, std::int64_t line, std::string_view found,
                            std::string_view expected);

/// A byte of a file as a message can have it: 'a', or 0x1f.
std::string shown(char byte);

/// A word of a file, cut and without bytes that a terminal could take for more than text.
std::string shown(std::string_view word);

}  // namespace rackproof::align

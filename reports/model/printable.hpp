#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rackproof::model {

/// Foreign text made safe to show on one line of a terminal: each byte that is not UTF-8 and each
/// control character (C0, DEL, C1, line separators, direction overrides) becomes "?", each newline,
/// carriage return and tab one space. Text longer than `max_characters` is cut and ends in "...".
std::string printable(std::string_view text, std::size_t max_characters = std::string::npos);

/// printable() as text between or inside the marks of XML and HTML: & < > and both quotes become
/// entities, and what XML does not know (U+FFFE, U+FFFF) "?".
std::string in_markup(std::string_view text, std::size_t max_characters = std::string::npos);

/// Number of characters (code points) of a UTF-8 text.
std::size_t character_count(std::string_view text);

/// The text with U+FFFD in place of each byte that is not part of well-formed UTF-8.
std::string well_formed(std::string_view text);

/// True when the text is well-formed UTF-8 (no overlong forms, no surrogates, nothing above
/// U+10FFFF).
bool is_well_formed(std::string_view text);

}  // namespace rackproof::model

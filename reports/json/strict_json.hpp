#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

namespace rackproof::model {

/// What a document may be at most. Depth counts arrays and objects, the outermost is 1.
struct JsonLimits {
  std::size_t bytes = std::size_t{64} << 20;
  std::size_t depth = 64;
  std::size_t string_bytes = std::size_t{1} << 20;
};

/// A text that is not one JSON document within its limits.
struct BadJson : std::runtime_error {
  BadJson(const std::string& text, std::size_t line_number, std::size_t column_number, bool cut_off)
      : BadJson("", text, line_number, column_number, cut_off) {}
  /// `where` is the line in words, and stands before the reason.
  BadJson(const std::string& where, const std::string& why, std::size_t line_number,
          std::size_t column_number, bool cut_off)
      : std::runtime_error(where + why),
        reason(why),
        line(line_number),
        column(column_number),
        truncated(cut_off) {}

  std::string reason;  ///< the message without its line, for who has named that already
  std::size_t line;    ///< 1-based; 0 when the message names a place in the document instead
  std::size_t column;  ///< 1-based, in bytes
  bool truncated;      ///< the text ends in the middle of the document
};

/// Parses one JSON document strictly: UTF-8 only, no comments, nothing after it, no duplicate keys,
/// no integer outside 64 bits with sign, no number that overflows a double, nothing beyond the
/// limits. Numbers keep their kind: 1 is an integer, 1.0 a double. Throws BadJson, whose text is
/// one printable line.
nlohmann::json parse_strict(std::string_view text, const JsonLimits& limits = {});

}  // namespace rackproof::model

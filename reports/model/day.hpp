#pragma once

#include <string_view>

namespace rackproof::model {

/// Whether a day, YYYY-MM-DD, lies before another, or before that of a time that begins so.
constexpr bool is_before(std::string_view day, std::string_view other) {
  constexpr std::size_t kLength = 10;
  // Days of this form sort as they follow each other.
  return day < other.substr(0, kLength);
}

}  // namespace rackproof::model

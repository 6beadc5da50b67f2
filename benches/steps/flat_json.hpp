#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>

namespace rackproof::steps {

/// A field of a flat JSON object, and the line that it stands in.
struct FlatField {
  std::variant<std::int64_t, std::string> value;
  int line = 0;
};

/// The fields of one JSON object whose values are integers or texts; // comments are allowed, as in
/// all files of this project. Throws kit::UsageError for anything else: "NAME:LINE: what was
/// expected". `name` is how messages call the text.
std::map<std::string, FlatField> read_flat_json(std::string_view text, std::string_view name);

}  // namespace rackproof::steps

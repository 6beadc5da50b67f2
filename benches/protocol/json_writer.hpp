#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rackproof::protocol {

/// Appends one JSON document to a string, in the order it is told. Text that is not UTF-8 is
/// written with U+FFFD in place of each wrong byte, so the result is always valid JSON.
class JsonWriter {
 public:
  JsonWriter& begin_object();
  JsonWriter& end_object();
  JsonWriter& begin_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);
  JsonWriter& text(std::string_view value);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& boolean(bool value);
  /// Writes the shortest form that reads back as the same double. Throws std::invalid_argument for
  /// NaN and infinity: JSON cannot say them, and a record that means one must say so as a failed
  /// check.
  JsonWriter& number(double value);
  /// Appends `json`, which must be one complete JSON value, as it stands.
  JsonWriter& raw(std::string_view json);

  /// The document so far; the writer is empty afterwards.
  std::string take();

 private:
  void separate();

  std::string out_;
  bool first_ = true;
  bool after_key_ = false;
};

/// `text` as a quoted JSON string (see JsonWriter for what happens to bytes that are not UTF-8).
std::string quote(std::string_view text);

/// True when `text` is well-formed UTF-8 (no overlong forms, no surrogates, nothing above
/// U+10FFFF).
bool is_utf8(std::string_view text);

}  // namespace rackproof::protocol

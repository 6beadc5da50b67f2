#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace rackproof::warden {

/// What makes a change of a journal seen: each line ends in a digest of itself and of the seal
/// before it, `,"seal":"<16 hex digits>"}`, the first 64 bits of a SHA-256. It shows flipped bits,
/// edited, removed, doubled and moved lines. It has no key: who writes all the following lines anew
/// is not found out by it.
class Seal {
 public:
  /// The next line as it is to be written. `line` is a JSON object with at least one member.
  std::string sealed(std::string_view line);

  /// The next line of a file: it without its seal, or nothing when it is not what was written here
  /// after the line before.
  std::optional<std::string> opened(std::string_view line);

  /// The seal that a line carries, whether or not it holds; empty when it carries none.
  static std::string_view of(std::string_view line);

 private:
  std::string last_;
};

}  // namespace rackproof::warden

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace rackproof::document {

/// Longest platform table and list of metrics: the shipped ones have a few dozen KiB.
inline constexpr std::size_t kMaxTableBytes = std::size_t{4} * 1024 * 1024;

/// Longest configuration file that is read, deepest nesting and most values that are accepted.
inline constexpr std::size_t kMaxFileBytes = std::size_t{64} * 1024 * 1024;
inline constexpr std::size_t kMaxDepth = 64;
inline constexpr std::size_t kMaxValues = 1'000'000;

struct Member;

/// A JSON value that knows the line it began on.
struct Node {
  using List = std::vector<Node>;
  using Members = std::vector<Member>;

  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, List, Members> value;
  int line = 0;  ///< 1-based
};

/// A field of an object, in the order of the file.
struct Member {
  std::string name;
  Node node;
};

/// A file that was read: its bytes for the digest, its values with their places.
struct Document {
  std::string file;
  std::string text;
  Node root;
};

/// The bytes of a regular file of at most `max_bytes`; its size is looked at before it is read.
/// Throws ConfigError.
std::string read_file(const std::string& path, std::size_t max_bytes = kMaxFileBytes);

/// Reads JSON with `//` and `/* */` comments. Refuses what JSON readers let through: a field given
/// twice, nesting deeper than kMaxDepth, more than `max_values` values, integers outside 64 bits,
/// numbers that are not finite, text that is not UTF-8, a NUL, a byte order mark, anything after
/// the document. Throws ConfigError, which names `file`.
Node parse(const std::string& file, std::string_view text, std::size_t max_values = kMaxValues);

/// read_file and parse.
Document load_document(const std::string& path, std::size_t max_bytes = kMaxFileBytes);

}  // namespace rackproof::document

#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rackproof::document {

/// One way in which a document differs from its schema.
struct SchemaIssue {
  std::string pointer;  ///< JSON pointer of the value, "" for the whole document
  int line = 0;         ///< 1-based; 0 when unknown
  std::string text;     ///< one sentence
};

/// Compares a JSON document (comments allowed) with a JSON Schema of draft 7 that is read from
/// `schema_file`. Empty when it conforms; at most 100 issues otherwise, the deepest places only. A
/// text that is no JSON gives one issue that says so. Throws ConfigError when the schema cannot be
/// used.
std::vector<SchemaIssue> validate(const std::string& schema_file, std::string_view json_text);

}  // namespace rackproof::document

#pragma once

#include <string>
#include <vector>

#include "tests/evidence/document.hpp"
#include "tests/evidence/schema.hpp"

namespace rackproof::evidence {

/// What docs/evidence.md has behind kMarker.
struct Page {
  std::string text;
  std::vector<std::string> problems;  ///< judged better and not allowed, or allowed and not so
};

inline constexpr const char* kMarker = "<!-- made by `evidence page` -->\n";

Page make_page(const std::vector<Kind>& kinds);

/// What the schema of a kind allows; nothing where there is none.
Words words_of(const Kind& kind);

}  // namespace rackproof::evidence

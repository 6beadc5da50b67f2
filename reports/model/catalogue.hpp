#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rackproof::model {

/// What an id in a verdict, a finding or an error means: the text behind `rackproof explain ID`.
struct CatalogueEntry {
  std::string_view id;       ///< kebab-case, stable for ever
  std::string_view kind;     ///< "verdict", "finding" or "error"
  std::string_view title;    ///< one line
  std::string_view meaning;  ///< what happened
  std::string_view next;     ///< what to do now
};

const std::vector<CatalogueEntry>& catalogue();
std::optional<CatalogueEntry> find_entry(std::string_view id);

}  // namespace rackproof::model

#pragma once

#include <string_view>
#include <vector>

namespace rackproof::catalogue {

/// What an id in a verdict, a finding or an error means: the text behind `rackproof explain ID`.
struct CatalogueEntry {
  std::string_view id;       ///< kebab-case, stable for ever
  std::string_view kind;     ///< "verdict", "finding" or "error"
  std::string_view title;    ///< one line
  std::string_view meaning;  ///< what happened
  std::string_view next;     ///< what to do now
};

/// Every entry: verdicts, then findings, then errors. An id is unique within its kind; a few are in
/// two (a lost rank is a reason for its cells and a finding of the run).
const std::vector<CatalogueEntry>& catalogue();

/// Every entry of that id, at most one of each kind.
std::vector<CatalogueEntry> find_entries(std::string_view id);

}  // namespace rackproof::catalogue

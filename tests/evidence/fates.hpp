#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/evidence/document.hpp"
#include "tests/evidence/schema.hpp"
#include "tests/evidence/spoil.hpp"

namespace rackproof::evidence {

/// What a spoiled value came to. kHeld: what was accepted is so no longer. kSame: the verdict
/// stands. kBetter: what was not accepted is accepted, or the cell that must not pass has passed.
enum class Came { kRefused, kHeld, kSame, kBetter };

/// All that one spoil of the values of one pattern came to, over scenes and places.
struct Row {
  std::map<Spoil, std::set<Came>> of;
  bool skipped = false;  ///< it was not its turn (tests/unit/turn.hpp): `of` is empty
};

/// What follows the pattern in the line of a row that was skipped.
inline constexpr std::string_view kSkipped = " skipped |";

/// By pattern ("/cells/*/verdict").
using Table = std::map<std::string, Row>;

/// Spoils each value of each document of a kind, once for each pattern and scene, and apart for
/// what is the evidence and what is not. An exception that is no clear error is one of this, with
/// the place.
Table fates_of(const Kind& kind, const Words& words);

/// The table as Markdown, with what the schema describes and no scene holds.
std::string to_markdown(const Kind& kind, const Table& table, const Words& described);

/// "report /run/extent: empty" of each kBetter.
std::vector<std::string> better_in(const Kind& kind, const Table& table);

}  // namespace rackproof::evidence

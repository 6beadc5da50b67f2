#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "contract/words.hpp"
#include "harness/index/sqlite.hpp"
#include "harness/ledger/answers.hpp"

namespace rackproof::ledger {

// What statements of this room select, in the order of these columns, and what is read of them.

#define RACKPROOF_LEDGER_RUN                                                                     \
  "r.run, r.began, r.began_s, r.suite, r.rack, r.acceptance, r.path, r.evidence, r.evidence_s, " \
  "r.platform"
#define RACKPROOF_LEDGER_STAY                                                             \
  "s.host, s.name, s.pci, s.serial, s.pass, s.verified, s.fail, s.unjudged, s.untested, " \
  "s.waived, s.links, s.isolating"
#define RACKPROOF_LEDGER_SIGHT RACKPROOF_LEDGER_RUN ", " RACKPROOF_LEDGER_STAY
#define RACKPROOF_LEDGER_CELL \
  RACKPROOF_LEDGER_RUN        \
  ", sub.label, q.step, q.metric, q.parameters, q.unit, c.outcome, c.observed, c.low, c.high"

inline constexpr int kRunColumns = 10;
inline constexpr int kStayColumns = 12;
inline constexpr int kSightColumns = kRunColumns + kStayColumns;
inline constexpr int kCellColumns = kRunColumns + 9;

inline std::string text_at(const index::Statement& row, int column) {
  return std::string(row.bytes(column));
}

/// Throws IndexError for a word that is none of the enumeration's.
template <contract::Enumeration E>
E word_at(const index::Statement& row, int column) {
  if (const auto value = contract::enumerator_of<E>(row.bytes(column))) return *value;
  throw index::IndexError("has an unknown word in it: " + text_at(row, column), true);
}

RunRef run_at(const index::Statement& row, int column);
/// Place and tally of a stay; the run is left as it was.
void read_stay(const index::Statement& row, int column, Sight& sight);
Sight sight_at(const index::Statement& row, int column);
CellIn cell_at(const index::Statement& row, int column);

}  // namespace rackproof::ledger

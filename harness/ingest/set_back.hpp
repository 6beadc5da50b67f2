#pragma once

#include "harness/ingest/account.hpp"
#include "harness/journal/entry.hpp"

namespace rackproof::ingest {

/// Gives what was measured back from the cells to the attempts: the cells of another plan are not
/// known yet.
void take_back(Account& account);

/// A segment begins after a repair: nothing that was measured before it counts any more, nor do
/// findings about a step or a repaired host.
void after_repair(const journal::Repair& repair, int segment, Account& account);

/// Attempts that were set back count again. Says nothing in a segment that began without a repair.
void after_repair(const journal::Kept& kept, int segment, Account& account);

}  // namespace rackproof::ingest

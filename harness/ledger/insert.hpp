#pragma once

#include "harness/index/sqlite.hpp"
#include "harness/ledger/entry.hpp"

namespace rackproof::ledger {

/// Writes an entry whose digest is not there yet, within the caller's transaction, and decides anew
/// which report counts for its run: the one with most segments, then the one that ended last, then
/// the one with the greatest digest. Throws IndexError.
void insert(index::Database& database, const Entry& entry);

}  // namespace rackproof::ledger

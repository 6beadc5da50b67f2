#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/ledger/answers.hpp"

namespace rackproof::ledger {

/// The time, in seconds since 1970, from which on --since asks: an age before `now`, or the
/// beginning of a day, YYYY-MM-DD. Throws UsageError.
double since_seconds(const std::string& text, double now);

/// The stays of a part: runs in the order of time in which it was at the same host, index or name
/// and PCI address, which may be unknown in some. `runs` are newest first; so the first stay is the
/// oldest.
std::vector<Stay> stays_of(const std::vector<Sight>& runs);

/// Worst first: whoever failed in its last run before others; then who failed in more runs; then a
/// failure without a shortfall, such as a wrong answer, before any other, and these by their
/// shortfall; then by name.
void worst_first(std::vector<Worst>& parts);

/// Whether a host is due, and why: it has no accepted run; none of them was whole; or the last
/// whole one has numbers from before `oldest` (seconds since 1970).
std::optional<Due> due_of(const DueHost& host, double oldest);

/// Those that were due for the longest time first: by the last whole run, then the last accepted
/// one, then the name.
void longest_due_first(std::vector<DueHost>& hosts);

/// The newest of each step, metric and parameters, of `values` that are newest first.
std::vector<CellIn> newest_of_each(std::vector<CellIn> values);

}  // namespace rackproof::ledger

#pragma once

#include <string>
#include <vector>

#include "harness/ledger/answers.hpp"
#include "harness/ledger/file.hpp"

namespace rackproof::ledger {

// Of several reports of one run only that which counts (insert.hpp) is asked. Times are seconds
// since 1970. Each function throws UsageError when the ledger cannot be read.

/// The parts of this name: a UUID, GUID or hardware address, a serial number, a host, and, as
/// reports name parts, "node1/GPU-1a2b", "node1/3", "node1 GPU 3", "node1/mlx5_0", "node1 NIC
/// mlx5_0". Several where it was the name of one after the other; that which was seen last comes
/// first. Throws UsageError with the nearest name for one that is not known.
std::vector<PartAnswer> ask_part(LedgerFile& ledger, const std::string& name);

/// Hosts, GPUs and adapters that failed in a run that began at `since` or later, worst first.
/// Links that failed count for neither end.
std::vector<Worst> ask_worst(LedgerFile& ledger, double since);

/// The hosts without an accepted run of all steps that began at `oldest` or later. With `suite`,
/// only runs of it count.
DueAnswer ask_due(LedgerFile& ledger, double oldest, const std::string& suite);

/// What failed in runs that began at `since` or later, by kind of subject, metric and reason; the
/// most frequent first.
FailuresAnswer ask_failures(LedgerFile& ledger, double since);

/// By kind of part, over all runs in which something of the part was required. A failure that goes
/// on from one run to the next counts once.
std::vector<PartRate> ask_rates(LedgerFile& ledger);

}  // namespace rackproof::ledger

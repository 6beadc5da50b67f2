#pragma once

#include <string>
#include <vector>

#include "harness/assemble/assemble.hpp"
#include "reports/model/report.hpp"
#include "tests/sim/cluster.hpp"

namespace rackproof::sim {

/// What the oracle is shown: a report, the journals that it was made of, and the disks as they are.
struct Exhibit {
  const Scenario& scenario;
  const Ledger& ledger;
  const Disks& disks;
  const std::vector<assemble::JournalFile>& journals;
  const model::Report& report;
  /// Nothing may come any more: what was lost must be named.
  bool is_last = false;
};

/// Everything in the report that cannot be, by what really happened. It asks the product for
/// nothing: whether a result was acknowledged is looked up in the bytes of the journals.
std::vector<std::string> object_to(const Exhibit& exhibit);

/// What a campaign that was interrupted and resumed must have in common with one that was not.
std::string essence_of(const Scenario& scenario, const model::Report& report);

}  // namespace rackproof::sim

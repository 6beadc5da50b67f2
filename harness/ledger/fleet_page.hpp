#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/ledger/overview.hpp"

namespace rackproof::ledger {

/// What a page about a fleet says.
struct FleetView {
  Overview overview;
  std::vector<Worst> worst;  ///< as ask_worst() gives them for the same time
  Histories histories;
  DueAnswer due;
  std::string period;      ///< "in the last 30d"
  std::string older_than;  ///< of what is due: "30d"
  double now = 0;          ///< seconds since 1970: waivers end, and runs are of some age
  /// The address of a report, by its path in the ledger; empty for none. Foreign text.
  std::function<std::string(const std::string& path)> address;
};

/// A fleet as one page that opens from disk: each rack and suite with its newest verdict and a
/// strip of its runs, what fails now, what changed since the run before, open waivers, parts with a
/// history and hosts that are due. Lists are bounded, and say what they leave out; text of reports
/// stays text. Pure but for `address`.
std::string fleet_page(const FleetView& view);

}  // namespace rackproof::ledger

#pragma once

#include <string>
#include <vector>

#include "harness/config/comparison.hpp"
#include "reports/model/amends.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::uniformity {

/// A fact of a host, or of one of its GPUs, that is not what it was.
struct Change {
  std::string host;
  std::string part;  ///< UUID; empty: the host
  std::string fact;
  std::string was;  ///< empty: it was not there
  std::string is;   ///< empty: it is not there

  bool operator==(const Change&) const = default;
};

/// What of the inventories is not what it was, but for what was repaired: hosts, GPUs by their
/// UUIDs, and every fact that a rule compares among hosts (within its tolerance). A repaired host
/// may be any other; of a host with a repaired GPU only that one may differ, or another one be in
/// its place. Pure, and in the order of hosts, parts and facts.
std::vector<Change> changes_since(const std::vector<model::NodeInventory>& then,
                                  const std::vector<model::NodeInventory>& now,
                                  const config::ComparisonRules& rules,
                                  const std::vector<model::Repair>& repairs);

/// One line for each: "gb-08: gpu.driver_version was 580.65, is 580.82".
std::string to_text(const std::vector<Change>& changes);

}  // namespace rackproof::uniformity

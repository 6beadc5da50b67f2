#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/config/comparison.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::uniformity {

/// What is unlike among the hosts of a cluster, and among their devices: for each fact that must
/// agree the value that most of them have and the odd ones by name (config-mismatch), or every
/// value when none has a majority; for each that must differ the hosts that share a value
/// (identity-shared). `platform_of_host` says which hosts are alike; those that it lacks are alike
/// among themselves.
///
/// A fact that cannot be read on some is unlike too, at most a warning. Where a rule names several
/// facts by a pattern, a host that lacks one of them is not compared by it: how many there are is a
/// fact of its own. A host without any fact is left out: nobody knows what it is.
///
/// The gravest first, then in the order of the rules. Each finding has in its evidence `fact`,
/// `value` and, where there is one, `majority`. Pure, and the same for every order of `nodes`.
std::vector<model::Finding> compare(const std::vector<model::NodeInventory>& nodes,
                                    const std::map<std::string, std::string>& platform_of_host,
                                    const config::ComparisonRules& rules);

}  // namespace rackproof::uniformity

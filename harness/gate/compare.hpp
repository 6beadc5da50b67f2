#pragma once

#include <string>
#include <vector>

#include "harness/config/comparison.hpp"
#include "harness/gate/reason.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::gate {

/// Against what a node is held: what it was itself, or another node that is as all should be.
enum class Against { kBefore, kGolden };

/// What of `now` is not as in `then`, by the rules that a cluster's nodes are compared by. A rule
/// of severity error or graver makes a node bad; a warning is told; what is only known on one side
/// is told too, and never bad. A device is held against itself (by UUID, then by its place on the
/// bus), or against all of its name in the golden inventory. Says nothing of how many GPUs there
/// are.
std::vector<Finding> differences(const model::NodeInventory& then, const model::NodeInventory& now,
                                 const config::ComparisonRules& rules, Against against);

/// Which GPUs of `then` are not there any more, and which sit in the place of another one. GPUs
/// that are no whole ones (MIG) count as what they are part of.
std::vector<Finding> lost_gpus(const model::NodeInventory& then, const model::NodeInventory& now);

/// How many GPUs a node has: the parts of one (MIG) are one.
std::size_t gpu_count(const model::NodeInventory& node);

/// The GPUs that a node has fewer of than the golden one.
std::vector<Finding> fewer_gpus(const model::NodeInventory& golden,
                                const model::NodeInventory& now);

}  // namespace rackproof::gate

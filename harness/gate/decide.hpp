#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/config/comparison.hpp"
#include "harness/gate/look.hpp"
#include "harness/gate/reason.hpp"
#include "harness/gate/state.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::gate {

/// All that a node is held against.
struct Measure {
  std::vector<model::PlatformTable> tables;  ///< all, or the one that was named
  bool named = false;
  config::ComparisonRules rules;
  std::optional<model::NodeInventory> golden;
};

/// What a look says of a node.
struct Decision {
  std::vector<Finding> findings;  ///< what decides stands first
  std::string platform;           ///< id of its table; empty: none recognises it

  Verdict verdict() const { return verdict_of(findings); }
};

/// Holds a look against the platform, the golden inventory and the last good look. What is wrong
/// now and was so at the last good look is no news: somebody took it as good, or a table changed
/// since. What only can be told since a look before is not judged at a first one. Pure.
Decision decide(const Look& now, const State& before, const Measure& measure);

}  // namespace rackproof::gate

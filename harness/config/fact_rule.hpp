#pragma once

#include <vector>

#include "harness/document/reader.hpp"
#include "reports/model/demand.hpp"

namespace rackproof::config {

/// The condition on a fact that an object states ("fact" with one of "equals", "matches", or "min"
/// and "max"), behind `rules`. Two bounds are two rules.
void read_fact_condition(const document::Object& object, std::vector<model::FactRule>& rules);

/// The same of an object that states nothing else.
void read_fact_rule(const document::Field& field, std::vector<model::FactRule>& rules);

}  // namespace rackproof::config

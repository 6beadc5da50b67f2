#pragma once

#include <cstddef>

#include "harness/document/reader.hpp"
#include "reports/model/suite_plan.hpp"

namespace rackproof::config {

/// Reads what `rackproof plan` wrote of a suite with `steps` steps. Refuses one whose steps and
/// those that it left out are not as many as the whole suite had, and one that expects more to be
/// missed than there is.
model::SuitePlan read_suite_plan(const document::Field& field, std::size_t steps);

}  // namespace rackproof::config

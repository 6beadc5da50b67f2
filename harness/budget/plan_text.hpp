#pragma once

#include <string>

#include "harness/budget/planner.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::budget {

/// The plan for people: steps that are in it, steps that are not, and what it misses.
std::string plan_text(const Request& request, const Plan& plan, const terminal::Style& style);

/// The plan as a document (docs/formats.md).
std::string plan_json(const Request& request, const Plan& plan);

}  // namespace rackproof::budget

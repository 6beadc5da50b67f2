#pragma once

#include <string>

#include "harness/budget/planner.hpp"

namespace rackproof::budget {

/// Where the numbers of a plan are from, for people: "rates: ...; chances: assumed; durations:
/// ...".
std::string basis_of(const Request& request, const Plan& plan);

/// "acceptance-20min".
std::string shorter_id(const Request& request);

/// The suite with the steps of the plan alone, as a file (rackproof/suite/1) without the comments
/// of `text`, which is that of the whole suite. What reports know of the time a step takes is in
/// it. A claim keeps those of its steps that are there. One without any is left out, and so is one
/// that counts only where a claim does not that is left out; on a machine without GPUs such a claim
/// counts always. The time budget is what was asked for, or what the attempts of one step may take
/// where that is longer.
std::string shorter_suite(const std::string& text, const Request& request, const Plan& plan);

}  // namespace rackproof::budget

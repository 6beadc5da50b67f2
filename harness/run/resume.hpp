#pragma once

#include "harness/run/coordinator.hpp"

namespace rackproof::run {

/// Makes the request go on with the run that the report is about: which one it is, what it owes,
/// and what of it is done.
void continue_from(const model::Report& before, Request& request);

}  // namespace rackproof::run

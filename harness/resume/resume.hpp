#pragma once

#include "harness/resume/request.hpp"
#include "harness/support/store.hpp"

namespace rackproof::resume {

/// Makes the request go on with the run that the report is about: which one it is, what it owes,
/// and what of it is done.
void continue_from(const model::Report& before, Request& request);

/// The highest segment whose journals are in the run's directory; 0 for none. One without its first
/// line tells nothing, so no report knows it, but its name is taken.
int last_segment(support::Store& store);

}  // namespace rackproof::resume

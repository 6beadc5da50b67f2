#pragma once

#include "harness/config/suite.hpp"
#include "harness/document/reader.hpp"

namespace rackproof::config {

/// Reads deadline, grace, attempts and what a step takes, which nest: within each other, and its
/// attempts within the budget, in seconds.
void read_times(const document::Object& object, double budget, Step& step);

/// Reads by when the first member of a group must have given its token; after placement and
/// deadline.
void read_bring_up(const document::Object& object, Step& step);

/// Refuses a time budget that is shorter than what the steps say that they take together.
void require_time(const document::Field& budget, const Suite& suite);

/// What is run again when a result is in doubt: confirm, narrow.
void read_again(const document::Object& object, Step& step);

}  // namespace rackproof::config

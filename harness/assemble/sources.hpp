#pragma once

#include "harness/assemble/reading.hpp"

namespace rackproof::assemble {

/// Puts into the report which bytes of which journals were read, so that a change of one of them is
/// seen later. The last line of a journal, which closes it, may be written after the report: once a
/// run has ended it is not counted unless the report depends on it, so that a report made later is
/// the same.
void fill_sources(Reading& reading);

}  // namespace rackproof::assemble

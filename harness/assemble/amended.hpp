#pragma once

#include "harness/assemble/reading.hpp"

namespace rackproof::assemble {

/// Whether something seen in a segment is about what was repaired since: an event on a GPU, by its
/// UUID, or on a host (empty device).
bool is_repaired_since(const Reading& reading, int segment, const std::string& host,
                       const std::string& device);

/// Whether a host was measured in a segment before a repair, and nothing of that counts any more.
bool is_set_back(const Reading& reading, int segment, const std::string& host);

/// Counts what was measured again after a repair, dates what was not, and says so in a finding.
void fill_amends(Reading& reading);

}  // namespace rackproof::assemble

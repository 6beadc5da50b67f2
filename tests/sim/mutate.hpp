#pragma once

#include <vector>

#include "harness/assemble/assemble.hpp"
#include "tests/sim/campaign.hpp"

namespace rackproof::sim {

/// Changes the journals so that the report made of them is the one of a product that fails so.
void mutate(Mutant mutant, std::vector<assemble::JournalFile>& journals);

}  // namespace rackproof::sim

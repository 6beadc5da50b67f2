#pragma once

#include <vector>

#include "harness/run/order.hpp"

namespace rackproof::cli {

/// The whole program but for what only the composition root knows: the benches that run inside
/// ranks. Gives the exit code; never throws.
int run_app(int argc, char** argv, std::vector<run::InRank> in_rank);

}  // namespace rackproof::cli

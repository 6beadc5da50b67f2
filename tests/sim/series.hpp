#pragma once

#include <string>
#include <vector>

#include "tests/sim/campaign.hpp"

namespace rackproof::sim {

/// What the command line of `simulate` asks for.
struct Options {
  long campaigns = 1;
  std::uint64_t seed = 1;
  Sizes sizes;
  bool tracing = false;
  Mutant mutant = Mutant::kNone;
  std::string mutant_name;
};

/// Throws std::invalid_argument with what is wrong.
Options options_of(const std::vector<std::string>& arguments);
std::string usage();

/// Runs campaigns of consecutive seeds and prints what they came to. 0: none was violated, and
/// there was something to see; 1: otherwise. With a mutant 0 when a campaign saw it, and the first
/// such seed ends the series.
int run_series(const Options& options);

}  // namespace rackproof::sim

// Usage: simulate [--campaigns N] [--seed S] [--ranks MAX] [--always] [--trace] [--mutant NAME]
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/sim/series.hpp"

namespace sim = rackproof::sim;

int main(int argc, char** argv) {
  sim::Options options;
  try {
    options = sim::options_of(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::invalid_argument& error) {
    std::fprintf(stderr, "simulate: %s\n%s", error.what(), sim::usage().c_str());
    return 2;
  }
  return sim::run_series(options);
}

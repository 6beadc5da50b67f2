#pragma once

#include <string>
#include <vector>

#include "harness/config/metrics.hpp"
#include "harness/config/programs.hpp"

namespace rackproof::config {

/// All that the harness, the scripts and the tests know of a bench: benches/NAME/bench.json.
struct Bench {
  std::string name;
  MetricCatalogue metrics;
  std::vector<BenchProgram> programs;
};

/// Reads the description of one bench (JSON with comments). Throws ConfigError.
Bench load_bench(const std::string& path);

/// What one bench prints. Throws ConfigError.
MetricCatalogue load_metrics(const std::string& path);

/// Those of the files `*.json` of a folder together, in the order of their names; empty where there
/// is no such folder. Throws ConfigError.
MetricCatalogue load_catalogue(const std::string& folder);

/// The programs that they describe, in the same order. Throws ConfigError.
std::vector<BenchProgram> load_programs(const std::string& folder);

}  // namespace rackproof::config

#pragma once

#include <string>
#include <vector>

#include "harness/cli/program.hpp"
#include "harness/coverage/coverage.hpp"

namespace rackproof::cli {

/// What an installed table can hold of a suite.
struct TableCoverage {
  std::string table;
  coverage::Coverage coverage;
};

/// Of each platform that some machine is recognised as, in the order of names. `suite` is a name or
/// a file. Throws ConfigError.
std::vector<TableCoverage> coverage_of_tables(const std::string& suite, int hosts,
                                              const Program& program);

/// "8 of 13 claims, 63 of 104 rates; no limit for memory, mpi".
std::string to_text(const coverage::Coverage& coverage);

/// For the page of platforms: a row a table, of one host and of four. Throws ConfigError.
std::string coverage_section(const Program& program);

}  // namespace rackproof::cli

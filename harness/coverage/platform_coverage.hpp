#pragma once

#include <string>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/coverage/coverage.hpp"

namespace rackproof::coverage {

/// What an installed table can hold of a suite.
struct TableCoverage {
  std::string table;
  Coverage coverage;
};

/// Of each platform that some machine is recognised as, in the order of names. `suite` is a name or
/// a file. Throws ConfigError.
std::vector<TableCoverage> coverage_of_tables(const std::string& suite, int hosts,
                                              const config::Paths& paths);

/// "8 of 13 claims, 63 of 104 rates; no limit for memory, mpi".
std::string to_text(const Coverage& coverage);

/// For the page of platforms: a row a table, of one host and of four. Throws ConfigError.
std::string coverage_section(const config::Paths& paths);

}  // namespace rackproof::coverage

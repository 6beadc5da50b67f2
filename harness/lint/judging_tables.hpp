#pragma once

#include <map>
#include <string>
#include <vector>

#include "harness/config/installed.hpp"
#include "harness/config/metrics.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::lint {

/// What the installed benches print. Throws UsageError when there is nothing: without it no table
/// can be held against anything.
config::MetricCatalogue installed_metrics(const config::Paths& paths);

/// Tables to judge by.
struct JudgingTables {
  std::vector<model::PlatformTable> tables;
  std::string forced;  ///< id of the one that was named; empty: they recognise their hosts
  /// What the linter doubts, by id of the table.
  std::map<std::string, std::vector<std::string>> warnings;
};

/// The platform table `named` on the command line. Throws document::ConfigError when it cannot be
/// read, UsageError when `check` refuses it, with what is wrong and where.
JudgingTables load_judging_table(const std::string& named, const config::Paths& paths);

/// The same, or all tables that are installed for "auto".
JudgingTables load_judging_tables(const std::string& named, const config::Paths& paths);

}  // namespace rackproof::lint

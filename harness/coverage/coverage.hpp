#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/config/metrics.hpp"
#include "harness/config/suite.hpp"
#include "reports/model/claim.hpp"
#include "reports/model/platform_table.hpp"

namespace rackproof::coverage {

/// What of a suite a table can hold to a limit on machines of its type.
struct Coverage {
  int hosts = 0;
  std::vector<model::ClaimState> claims;  ///< held: each place has a cell with a limit
  /// Kinds of required cell (step, metric, parameters) in which more is better, and those of them
  /// that a limit judges.
  struct Rates {
    std::size_t all = 0;
    std::size_t limited = 0;
  };
  Rates host;                          ///< measured by benches of the host: memory, cores, MPI
  Rates gpu;                           ///< by benches of GPUs
  std::vector<std::string> unlimited;  ///< "STEP METRIC PARAMETERS" of the others, sorted
  /// Of each claim that is held, by id: how far below what is expected of it a part must be to
  /// fail, by the tightest limit of each place, in the worst place. 0.1 is 10 %.
  std::map<std::string, double> deficits;

  std::size_t held() const;
};

/// By the rules of the judge, for hosts whose inventory could read every fact. Cells of types that
/// a GPU of this compute capability lacks are not owed. A limit of a generic table does not count,
/// but for a bound of its parts. Pure.
Coverage coverage_of(const model::PlatformTable& table, const config::Suite& suite, int hosts,
                     const config::MetricCatalogue& catalogue);

/// A baseline by the table that wrote it and its id.
using Figure = std::pair<std::string, std::string>;

/// Figures of the table and of what it extends that judge some cell of some of the suites, on 1 to
/// 360 hosts. Pure.
std::set<Figure> measured(const model::PlatformTable& table,
                          const std::vector<config::Suite>& suites,
                          const config::MetricCatalogue& catalogue);

/// Those that could, but for the suites: baselines with a figure, no bounds. Pure.
std::set<Figure> figures(const model::PlatformTable& table);

}  // namespace rackproof::coverage

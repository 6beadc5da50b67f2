#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::learn {

/// Reports that nothing can be learned from, or that do not go together. The text says which and
/// why.
struct BadReports : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct Options {
  std::string id;
  std::string title;
  std::size_t least_values = 5;   ///< of a cell; from fewer nothing is learned
  double least_tolerance = 0.02;  ///< however well the values agree
};

/// Cells that nothing was learned of, and why.
struct Unfit {
  std::string cells;  ///< metric, parameters, backend and number of hosts
  std::string why;
};

/// A site table. It holds what was learned alone; the rest it takes over from `extends`.
struct Lesson {
  model::PlatformTable table;
  std::string extends;
  std::vector<Unfit> unfit;
};

/// The table that the reports teach. Of each kind of cell (metric, parameters, backend, number of
/// hosts, statistic): the median of all runs and subjects as `expected`, and a tolerance
/// (tolerance_of) of the largest of `least_tolerance`, that beyond which one healthy value in a
/// thousand lies, and what lets every value pass with its interval. Cells with too few values, with
/// values in two groups, or that would pass at less than half the speed, are unfit, with how
/// many values it would take. The same reports in any
/// order give the same table; its dates and versions are those of the runs. A table of a particular
/// machine is extended; in place of a generic one the rules name processor and GPUs.
///
/// BadReports: no report; one that is not accepted, or whose hosts contradict its table, or that
/// comes twice; of different schema versions; hosts of more than one platform.
Lesson learn_table(std::vector<model::Report> reports, const Options& options);

/// What the reports say of each cell of a device or a node, in the order in which the runs began.
/// BadReports as above, but for platforms, which may differ.
std::vector<model::History> learn_history(std::vector<model::Report> reports);

/// The entries about subjects and cells of the report.
std::vector<model::History> relevant_to(const model::Report& report,
                                        const std::vector<model::History>& history);

}  // namespace rackproof::learn

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::model {

/// A step as a run would do it.
struct PlannedStep {
  std::string id;
  std::string program;    ///< "stream-host"
  std::string where;      ///< "on 2 nodes", "over 72 devices in 18 groups"; empty: nowhere
  bool left_out = false;  ///< by the selection
  std::vector<std::string> only_hosts = {};  ///< that the selection keeps it to; empty: all
  std::string skipped;          ///< why nothing of it would be started; empty: it would
  double takes_seconds = 0;     ///< as its suite says; 0: it does not
  double deadline_seconds = 0;  ///< what it may take at most
  std::size_t cells = 0;        ///< those that would be measured
  std::size_t required = 0;     ///< of them
  std::size_t limited = 0;      ///< of the required ones: held to a number
  std::size_t unjudged = 0;     ///< of the required ones: no baseline is known to apply
  std::size_t waived = 0;       ///< beside `cells`
};

/// A cell as it would be judged. Limits are in the metric's base unit.
struct PlannedCell {
  std::string id;
  std::string step;
  Subject subject;
  std::string metric;
  contract::Parameters parameters;
  std::string unit;  ///< empty where no bench describes the metric
  bool required = true;
  std::string waived;  ///< why; empty: it is not
  std::optional<double> limit_low;
  std::optional<double> limit_high;
  std::string source;  ///< "hgx-h200 triad": table and id of the baseline; empty: none applies
};

/// What a run would do, of which nothing was started.
struct PlannedRun {
  std::string suite;
  std::size_t hosts = 0;
  std::size_t ranks = 0;
  std::vector<std::string> left_out_hosts;  ///< of the job, beside `hosts`
  std::map<std::string, std::string> platform_of_host;
  std::vector<PlannedStep> steps;  ///< all of the suite, in its order
  std::vector<PlannedCell> cells;
};

}  // namespace rackproof::model

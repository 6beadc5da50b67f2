#pragma once

#include <string>
#include <vector>

#include "reports/model/report.hpp"

namespace rackproof::html {

/// The report as one page that opens from disk, without network and without scripts (its own policy
/// forbids both): verdict and coverage first, then the worst problems, a map of the rack, what
/// failed, was not tested or not judged, each quantity with its spread and limits, findings with
/// remedies, how hosts differ, and where everything comes from. Light and dark, narrow and printed.
/// Lists are bounded, and say what they leave out. Text of the report stays text. Pure.
std::string render(const model::Report& report);

/// A recorded series, by seconds since a measurement began.
struct Curve {
  std::string name;     ///< "gpu.power"
  std::string subject;  ///< a GPU's UUID; empty: the node
  std::string unit;
  std::vector<float> seconds;
  std::vector<float> values;
};

/// What was recorded around the measurement of cells of the report.
struct CellCurves {
  std::vector<const model::Cell*> cells;  ///< of one process
  double seconds = 0;                     ///< how long its process ran
  std::vector<Curve> curves;
};

/// The same with the page's own script, the only one that its policy lets run, and the cells as
/// data for it: charts, a table of all cells with search and order, and the details of each. What
/// render() shows needs no script here either. Where rackproof was built without npm's packages,
/// this is render(). Pure.
std::string render_with_charts(const model::Report& report,
                               const std::vector<CellCurves>& curves = {});

/// Whether this build has the script.
bool has_charts();

}  // namespace rackproof::html

#include "reports/openmetrics/openmetrics.hpp"

#include "reports/model/rack.hpp"
#include "reports/openmetrics/cell_series.hpp"
#include "reports/openmetrics/device_series.hpp"
#include "reports/openmetrics/families.hpp"
#include "reports/openmetrics/run_series.hpp"
#include "reports/openmetrics/spread_series.hpp"
#include "reports/openmetrics/told.hpp"

namespace rackproof::openmetrics {

std::string render(const model::Report& report) { return render(report, Details::kByNumber); }

std::string render(const model::Report& report, Details details) {
  // What tells runs apart is on every series: two files in one folder, two runs, or a quick run and
  // the acceptance of one rack, share none.
  Families families(
      {{"rack", model::rack_of(report)}, {"suite", report.suite.id}, {"run", report.run.id}});
  add_run(families, report);
  add_host_cells(families, report);
  add_spreads(families, report);
  add_links(families, report);
  const Told told = told_of(report, details);
  for (const model::Cell* cell : told.cells) add_cell(families, *cell);
  add_devices(families, report, told);
  add_left_out(families, told);
  return families.text();
}

}  // namespace rackproof::openmetrics

#include "tests/golden/golden.hpp"
#include "reports/json/report_json.hpp"
#include "reports/terminal/terminal.hpp"

namespace rackproof::terminal {

TEST_CASE("the sample report is shown as the golden text") {
  const model::Report report = model::report_from_json(golden::read("report/sample.report.json"));
  golden::check("report/sample.terminal.txt", render(report, {}));
  golden::check("report/sample.all-cells.terminal.txt",
                render(report, {.width = 140, .all_cells = true}));
  golden::check("report/sample.color.terminal.txt", render(report, {.color = true, .width = 72}));
}

}  // namespace rackproof::terminal

#include "reports/html/quantities.hpp"

#include "tests/unit/rendered.hpp"

namespace rackproof::html {

using rendered::cell_of;
using rendered::link_of;

TEST_CASE("cells are of one quantity when nothing but their subject differs") {
  model::Report report;
  report.cells = {cell_of("node1", model::Outcome::kPass), cell_of("node2", model::Outcome::kFail),
                  link_of("node1", "node2", 1, model::Outcome::kPass),
                  cell_of("node3", model::Outcome::kPass), cell_of("node1", model::Outcome::kPass)};
  report.cells[3].parameters["threads"] = std::int64_t{8};
  report.cells[4].step = "again";
  const Quantities quantities(report);
  REQUIRE(quantities.all().size() == 4);
  CHECK(quantities.all()[0].cells ==
        std::vector<const model::Cell*>{&report.cells[0], &report.cells[1]});
  CHECK(quantities.all()[2].what == "stream.triad threads=8");
  CHECK(quantities.place_of(report.cells[1]).quantity == 0);
  CHECK(quantities.place_of(report.cells[1]).number == 1);
  CHECK(quantities.mark_of(report.cells[4]) == " data-cell=\"3-0\"");
}

}  // namespace rackproof::html

#include "harness/ledger/add.hpp"

#include <catch2/catch.hpp>

#include "harness/archive/report_file.hpp"
#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using namespace ledger_test;

std::string write_run(const test::Folder& reports, int day) {
  model::Report report = run_on(day);
  add_gpu(add_host(report, "n1"), "GPU-a", 0);
  const std::string name = "night" + std::to_string(day) + "/report.json";
  reports.write(name, "");
  archive::write_json(reports.path(name), report);
  return reports.path(name);
}

TEST_CASE("what cannot be read is named and the rest is added once") {
  const LedgerFolder folder;
  const test::Folder reports;
  write_run(reports, 1);
  const std::string second = write_run(reports, 2);
  reports.write("night3/report.json", "{");
  LedgerFile file = folder.open();
  const Added first = add_reports(file, {reports.path(), reports.path("nowhere"), second});
  CHECK(first.added == 2);
  CHECK(first.known == 1);
  CHECK(first.reports == 2);
  REQUIRE(first.unfit.size() == 2);
  CHECK_THAT(first.unfit[0], Catch::Contains("night3/report.json"));
  CHECK_THAT(first.unfit[1], Catch::Contains("nowhere"));
  const Added again = add_reports(file, {reports.path("night1")});
  CHECK(again.added == 0);
  CHECK(again.known == 1);
  CHECK(again.unfit.empty());
  CHECK(ask_part(file, "GPU-a").front().runs.front().run.path == second);
}

}  // namespace
}  // namespace rackproof::ledger

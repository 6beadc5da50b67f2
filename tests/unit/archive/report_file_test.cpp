#include "harness/archive/report_file.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "harness/support/errors.hpp"
#include "harness/support/files.hpp"
#include "reports/model/report_json.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::archive {

TEST_CASE("a report is read back as it was written, and its folder stands for it") {
  const test::Folder folder;
  model::Report report;
  report.run.id = "run-1";
  const std::string file = folder.path("report.json");
  write_json(file, report);
  CHECK(support::read_file(file) == model::to_json(report));
  CHECK(load_report(file).run.id == "run-1");
  CHECK(load_report(folder.path()).run.id == "run-1");
  CHECK(report_file(folder.path()) == file);
  CHECK(report_file(folder.path("other.json")) == folder.path("other.json"));
}

TEST_CASE("what is no report that can be judged is refused with its file") {
  const test::Folder folder;
  folder.write("report.json", "[]");
  const std::string file = folder.path("report.json");
  CHECK_THROWS_AS(load_report(file), support::UsageError);
  CHECK_THROWS_WITH(load_report(file), Catch::StartsWith(file + ": "));
  CHECK_THROWS_WITH(load_report(folder.path("none")), Catch::Contains("there is no such file"));
  model::Report report;
  report.suite.policy.confidence = 1;
  write_json(file, report);
  CHECK_THROWS_WITH(load_report(file), Catch::Contains("must lie between 0 and 1"));
}

TEST_CASE("a file that cannot be written leaves the old one") {
  const test::Folder folder;
  write_durably(folder.path("a"), "old");
  write_durably(folder.path("a"), "new");
  CHECK(support::read_file(folder.path("a")) == "new");
  CHECK_THROWS_AS(write_durably(folder.path("none/a"), "x"), warden::StoreError);
  CHECK(std::filesystem::directory_iterator(folder.path())->path().filename() == "a");
}

}  // namespace rackproof::archive

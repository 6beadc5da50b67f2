#include "harness/index/report_files.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

namespace rackproof::index {
namespace {

using Files = std::vector<std::string>;

Files sorted_files_in(const std::string& path) {
  Files files = report_files_in({path});
  std::sort(files.begin(), files.end());
  return files;
}

TEST_CASE("of a folder every report below it counts once, compressed or not") {
  const test::Folder folder;
  folder.write("1/report.json", "");
  folder.write("2/report.json.zst", "");
  folder.write("3/report.json", "");
  folder.write("3/report.json.zst", "");
  folder.write("3/report.json.zst.17.tmp", "");
  folder.write("3/other.json", "");
  CHECK(sorted_files_in(folder.path()) ==
        Files{folder.path("1/report.json"), folder.path("2/report.json.zst"), folder.path("3")});
}

TEST_CASE("a folder without a report.json stands for its own files") {
  const test::Folder folder;
  folder.write("a.json", "");
  folder.write("b.json.zst", "");
  folder.write("c.txt", "");
  folder.write("below/d.json", "");
  CHECK(sorted_files_in(folder.path()) == Files{folder.path("a.json"), folder.path("b.json.zst")});
  folder.write("nothing/c.txt", "");
  CHECK_THROWS_AS(report_files_in({folder.path("nothing")}), support::UsageError);
  CHECK(report_files_in({folder.path("none")}) == Files{folder.path("none")});
}

}  // namespace
}  // namespace rackproof::index

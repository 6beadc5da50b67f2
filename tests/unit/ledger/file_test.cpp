#include "harness/ledger/file.hpp"

#include <catch2/catch.hpp>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "harness/support/errors.hpp"
#include "tests/unit/ledger/fleet.hpp"

namespace rackproof::ledger {
namespace {

using namespace ledger_test;
using Absent = LedgerFile::Absent;
using support::UsageError;

model::Report small_run(int day) {
  model::Report report = run_on(day);
  add_gpu(add_host(report, "n1"), "GPU-a", 0);
  add_cell(report, device("n1", "GPU-a"), model::Outcome::kPass);
  return report;
}

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST_CASE("a report is added once and found by its digest") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  CHECK_FALSE(file.knows("one"));
  CHECK(add(file, small_run(1), "one"));
  CHECK_FALSE(add(file, small_run(1), "one"));
  CHECK(add(file, small_run(2), "two"));
  CHECK(file.knows("one"));
  CHECK(file.reports() == 2);
  LedgerFile again(folder.path(), Absent::kRefuse);
  CHECK(again.reports() == 2);
  struct stat status {};
  REQUIRE(stat(folder.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777U) == 0600U);
}

TEST_CASE("an entry that cannot be written leaves nothing of itself") {
  const LedgerFolder folder;
  LedgerFile file = folder.open();
  Entry entry = entry_of(small_run(1), "one", "/r");
  entry.cells.push_back(entry.cells.front());
  CHECK_THROWS_AS(file.add(entry), UsageError);
  CHECK(file.reports() == 0);
  CHECK_THROWS_AS(ask_part(file, "GPU-a"), UsageError);
  CHECK(add(file, small_run(1), "one"));
}

TEST_CASE("a ledger of another version is refused and left alone") {
  const LedgerFolder folder;
  folder.open();
  for (const auto& [version, advice] :
       {std::pair("9", "newer rackproof"), std::pair("0", "--rebuild")}) {
    index::Database(folder.path())
        .execute(("PRAGMA user_version = " + std::string(version)).c_str());
    CHECK_THROWS_WITH(folder.open(), Catch::Contains("version " + std::string(version)) &&
                                         Catch::Contains(advice));
  }
}

TEST_CASE("what is no ledger is refused and left alone") {
  const LedgerFolder folder;
  CHECK_THROWS_WITH(LedgerFile(folder.path(), Absent::kRefuse), Catch::Contains("is not there"));
  std::ofstream(folder.path("text")) << "none of ours";
  std::filesystem::permissions(folder.path("text"), std::filesystem::perms(0600));
  CHECK_THROWS_WITH(LedgerFile(folder.path("text"), Absent::kMake),
                    Catch::Contains("not a database"));
  CHECK_THROWS_WITH(Rebuilt(folder.path("text")), Catch::Contains("no ledger"));
  CHECK(bytes_of(folder.path("text")) == "none of ours");
  folder.open();
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0666));
  CHECK_THROWS_WITH(folder.open(), Catch::Contains("written by others"));
}

TEST_CASE("a damaged ledger is said to be one that can be made anew, and is") {
  const LedgerFolder folder;
  {
    LedgerFile file = folder.open();
    for (int day = 1; day < 9; ++day) add(file, small_run(day), std::to_string(day));
  }
  std::filesystem::resize_file(folder.path(), 8192);
  const auto ask = [&] {
    LedgerFile file(folder.path(), Absent::kRefuse);
    ask_part(file, "GPU-a");
  };
  CHECK_THROWS_WITH(ask(), Catch::Contains("--rebuild"));
  {
    Rebuilt rebuilt(folder.path());
    add(rebuilt.file(), small_run(1), "1");
    CHECK_THROWS_AS(ask(), UsageError);
    rebuilt.take_place();
  }
  CHECK_NOTHROW(ask());
  CHECK(std::distance(
            std::filesystem::directory_iterator(std::filesystem::path(folder.path()).parent_path()),
            {}) == 1);
}

TEST_CASE("a new ledger that is let go leaves the old one") {
  const LedgerFolder folder;
  {
    LedgerFile file = folder.open();
    add(file, small_run(1), "1");
  }
  { Rebuilt rebuilt(folder.path()); }
  CHECK(folder.open().reports() == 1);
  CHECK(std::distance(
            std::filesystem::directory_iterator(std::filesystem::path(folder.path()).parent_path()),
            {}) == 1);
}

TEST_CASE("several that add at once are all heard") {
  const LedgerFolder folder;
  constexpr int kWriters = 4;
  constexpr int kEach = 5;
  std::vector<pid_t> children;
  for (int writer = 0; writer < kWriters; ++writer) {
    const pid_t child = fork();
    if (child == 0) {
      int code = 0;
      try {
        LedgerFile file = folder.open();
        // Those of the first five days are of everybody.
        for (int i = 1; i <= kEach; ++i) add(file, small_run(i), std::to_string(i));
        add(file, small_run(10 + writer), std::to_string(10 + writer));
      } catch (const std::exception&) {
        code = 1;
      }
      _exit(code);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(status == 0);
  }
  LedgerFile file = folder.open();
  CHECK(file.reports() == kEach + kWriters);
  CHECK(ask_part(file, "GPU-a").front().runs.size() == kEach + kWriters);
}

}  // namespace
}  // namespace rackproof::ledger

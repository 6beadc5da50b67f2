#include "harness/support/store.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/unit/broken_sync.hpp"
#include "tests/unit/temporary_folder.hpp"

using rackproof::support::DirectoryStore;
using rackproof::support::StoreError;

TEST_CASE("a file is replaced whole and leaves no temporary behind") {
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  store.write_durably("report.json", "old");
  store.write_durably("report.json", "new");
  CHECK(store.read("report.json") == "new");
  CHECK(store.list(".") == std::vector<std::string>{"report.json"});
}

TEST_CASE("a file that gets another name takes the place of what has it") {
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  store.write_durably("a", "new");
  store.write_durably("b", "old");
  store.rename("a", "b");
  CHECK(store.read("b") == "new");
  CHECK(store.list(".") == std::vector<std::string>{"b"});
  CHECK_THROWS_WITH(store.rename("a", "b"),
                    store.path("b") + ": cannot rename to: No such file or directory");
}

TEST_CASE("a file has the permissions that were asked for, whatever the umask") {
  const TemporaryFolder folder;
  const auto mode_of = [&](const char* name) {
    return static_cast<unsigned>(std::filesystem::status(folder / name).permissions());
  };
  const mode_t before = umask(077);
  DirectoryStore(folder.path()).write_durably("mine", "x");
  DirectoryStore(folder.path(), 0644).write_durably("everybody's", "x");
  DirectoryStore(folder.path(), 0644).append("journal", "x");
  umask(before);
  CHECK(mode_of("mine") == 0600);
  CHECK(mode_of("everybody's") == 0644);
  CHECK(mode_of("journal") == 0600);
}

TEST_CASE("a file that is given in parts is whole or not there") {
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  const std::string large(1 << 20, 'x');
  store.write_parts_durably("report.json", [&](const auto& take) {
    take("a");
    take(large);
    take("");
    take("b");
  });
  CHECK(store.read("report.json") == "a" + large + "b");
  CHECK_THROWS_AS(store.write_parts_durably("report.json",
                                            [&](const auto& take) {
                                              take(large);
                                              throw std::invalid_argument("no number");
                                            }),
                  std::invalid_argument);
  CHECK(store.read("report.json") == "a" + large + "b");
  CHECK(store.list(".") == std::vector<std::string>{"report.json"});
}

TEST_CASE("a link planted in the way of a file is replaced and not followed") {
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  store.write_durably("mine", "mine");
  const std::string temporary = "report.json." + std::to_string(getpid()) + ".tmp";
  for (const std::string& name : {std::string("report.json"), temporary}) {
    REQUIRE(symlink("mine", (folder / name).c_str()) == 0);
  }
  store.write_durably("report.json", "new");
  CHECK(store.read("mine") == "mine");
  CHECK(store.read("report.json") == "new");
  CHECK(std::filesystem::is_regular_file(std::filesystem::symlink_status(folder / "report.json")));
  CHECK_FALSE(store.exists(temporary));
}

TEST_CASE("append creates and adds, list is sorted, absence is no error") {
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  CHECK_FALSE(store.read("x"));
  CHECK(store.list("journals").empty());
  store.make_folder("journals");
  store.append("journals/b", "1");
  store.append("journals/a", "2");
  store.append("journals/b", "3");
  CHECK(store.read("journals/b") == "13");
  CHECK(store.list("journals") == std::vector<std::string>{"a", "b"});
  CHECK(store.exists("journals"));
}

TEST_CASE("what was appended is on disk, or that is said") {
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  const int code = in_child([&] {
    store.append("x", "1");
    if (!break_sync()) return kNoFilter;
    try {
      store.append("x", "2");
    } catch (const StoreError&) {
      return 0;
    }
    return 1;
  });
  if (code == kNoFilter) {
    WARN("skipped: this kernel grants no seccomp filter");
    return;
  }
  CHECK(code == 0);
}

TEST_CASE("what cannot be looked at is no absence") {
  const TemporaryFolder folder;
  REQUIRE(symlink("loop", (folder / "loop").c_str()) == 0);
  DirectoryStore store(folder.path());
  CHECK_THROWS_AS(store.list("loop"), StoreError);
  CHECK_THROWS_WITH(store.read("loop"), Catch::Contains("symbolic links"));
  CHECK_FALSE(store.read("none"));
  CHECK(store.list("none").empty());
}

TEST_CASE("without a descriptor left the journals are there all the same") {
#ifdef RACKPROOF_SANITIZED
  WARN("skipped: " RACKPROOF_SANITIZED " take descriptors, of which there are none here");
  return;
#endif
  const TemporaryFolder folder;
  DirectoryStore store(folder.path());
  store.make_folder("journals");
  store.append("journals/0001-rank-00000.jsonl", "{}");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_NOFILE, &before) == 0);
  rlimit none = before;
  none.rlim_cur = 0;
  REQUIRE(setrlimit(RLIMIT_NOFILE, &none) == 0);
  std::exception_ptr listed;
  std::exception_ptr read;
  try {
    store.list("journals");
  } catch (...) {
    listed = std::current_exception();
  }
  try {
    store.read("journals/0001-rank-00000.jsonl");
  } catch (...) {
    read = std::current_exception();
  }
  REQUIRE(setrlimit(RLIMIT_NOFILE, &before) == 0);
  REQUIRE(listed);
  REQUIRE(read);
  CHECK_THROWS_WITH(std::rethrow_exception(listed), Catch::Contains("Too many open files"));
  CHECK_THROWS_WITH(std::rethrow_exception(read), Catch::Contains("Too many open files"));
}

TEST_CASE("what cannot be written is said with path and reason") {
  DirectoryStore store("/proc/none");
  CHECK_THROWS_WITH(store.write_durably("x", "y"), Catch::Contains("/proc/none/x"));
  CHECK_THROWS_AS(store.make_folder("f"), StoreError);
}

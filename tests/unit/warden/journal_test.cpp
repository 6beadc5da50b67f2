#include "harness/warden/journal.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>

#include "tests/unit/broken_sync.hpp"
#include "tests/unit/temporary_folder.hpp"

using rackproof::warden::Journal;
using rackproof::warden::Seal;

TEST_CASE("lines are there, sealed, as soon as append returns") {
  const TemporaryFolder folder;
  Journal journal;
  REQUIRE(journal.open(folder / "j"));
  Seal seal;
  std::string bytes = seal.sealed(R"({"n":1})") + "\n";
  CHECK(journal.append(R"({"n":1})"));
  CHECK(slurp(folder / "j") == bytes);
  CHECK(journal.append(R"({"n":2})"));
  CHECK(journal.sync());
  CHECK(slurp(folder / "j") == bytes + seal.sealed(R"({"n":2})") + "\n");
}

TEST_CASE("an existing file is never taken over, nor a link followed") {
  const TemporaryFolder folder;
  std::ofstream(folder / "j") << "somebody's";
  CHECK_FALSE(Journal().open(folder / "j"));
  REQUIRE(symlink("/tmp", (folder / "link").c_str()) == 0);
  Journal journal;
  CHECK_FALSE(journal.open(folder / "link"));
  CHECK(journal.error().find("link") != std::string::npos);
  CHECK(slurp(folder / "j") == "somebody's");
}

namespace {

// What a process does whose journal cannot be forced to disk any more: 0 when all is as it should.
int lose_sync(Journal& journal) {
  if (!journal.append(R"({"n":1})") || !journal.sync()) return 1;
  if (!break_sync()) return kNoFilter;
  if (!journal.append(R"({"n":2})")) return 2;
  if (journal.sync() || journal.sync()) return 3;
  if (journal.error().find("cannot sync") == std::string::npos) return 4;
  return journal.append(R"({"n":3})") ? 5 : 0;
}

}  // namespace

TEST_CASE("what could not be forced to disk is not there, and the failure is final") {
  const TemporaryFolder folder;
  Journal journal;
  REQUIRE(journal.open(folder / "j"));
  const int code = in_child([&] { return lose_sync(journal); });
  if (code == kNoFilter) {
    WARN("skipped: this kernel grants no seccomp filter");
    return;
  }
  CHECK(code == 0);
  CHECK(slurp(folder / "j") == Seal().sealed(R"({"n":1})") + "\n");
}

TEST_CASE("a line that does not fit is not there by half, and the failure is final") {
  const TemporaryFolder folder;
  struct rlimit before = {};
  getrlimit(RLIMIT_FSIZE, &before);
  struct rlimit small = before;
  small.rlim_cur = 100;
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  Journal journal;
  REQUIRE(journal.open(folder / "j"));
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  const std::string line = R"({"n":")" + std::string(50, 'a') + R"("})";
  const bool first = journal.append(line);
  const bool second = journal.append(line);
  const bool third = journal.append(R"({"n":1})");
  setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  CHECK(first);
  CHECK_FALSE(second);
  CHECK_FALSE(third);
  CHECK(journal.error().find("cannot write") != std::string::npos);
  CHECK(slurp(folder / "j") == Seal().sealed(line) + "\n");
}

TEST_CASE(
    "a journal that was removed, renamed, replaced or cut short is noticed at the next line") {
  const TemporaryFolder folder;
  const std::string path = folder / "run/j";
  const std::string other = folder / "elsewhere";
  std::filesystem::create_directory(folder / "run");
  Journal journal;
  REQUIRE(journal.open(path));
  REQUIRE(journal.append(R"({"n":1})"));
  REQUIRE(journal.append(R"({"n":2})"));
  CHECK_FALSE(journal.lost());
  const std::string what = GENERATE("removed", "renamed", "folder renamed", "replaced", "cut");
  if (what == "removed") std::filesystem::remove(path);
  if (what == "renamed") std::filesystem::rename(path, other);
  if (what == "folder renamed") std::filesystem::rename(folder / "run", other);
  if (what == "replaced") {
    std::filesystem::rename(path, other);
    std::ofstream(path) << "somebody's";
  }
  if (what == "cut") std::filesystem::resize_file(path, 10);
  CHECK_FALSE(journal.append(R"({"n":3})"));
  CHECK(journal.lost());
  CHECK(journal.error().find(path) == 0);
  CHECK_FALSE(journal.append(R"({"n":4})"));
}

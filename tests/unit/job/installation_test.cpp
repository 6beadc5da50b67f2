#include "harness/job/installation.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/unit/folder.hpp"

using namespace rackproof::job;
using rackproof::test::Folder;

TEST_CASE("an installation is told file by file, by what is in it") {
  const Folder folder;
  rackproof::config::Paths paths;
  paths.suites = folder.path("suites");
  paths.platforms = folder.path("platforms");
  paths.programs = folder.path("libexec");
  folder.write("suites/a.json", "{}");
  folder.write("platforms/b.json", "{}");
  folder.write("platforms/notes.txt", "no table");
  folder.write("libexec/stream-host", "one");
  std::filesystem::permissions(folder.path("libexec/stream-host"),
                               std::filesystem::perms::owner_all);
  auto files = installed_files(paths, hash_benches(paths.programs));
  REQUIRE(files.size() == 3);
  CHECK(files.at("suites/a.json") == "44136fa355b3678a");
  CHECK(files.at("platforms/b.json") == files.at("suites/a.json"));
  const std::string before = files.at("programs/stream-host");
  folder.write("libexec/stream-host", "two");
  CHECK(installed_files(paths, hash_benches(paths.programs)).at("programs/stream-host") != before);
}

TEST_CASE("the first rank of a host tells what is installed, the others do not") {
  const Folder folder;
  folder.write("suites/a.json", "{}");
  Program program;
  program.paths.suites = folder.path("suites");
  CHECK(arrival_of_first(4, program, {}).files.size() == 1);
  const auto arrival = arrival_of(5);
  CHECK(arrival.files.empty());
  CHECK(arrival.rank == 5);
  CHECK(arrival.pid == getpid());
  CHECK_FALSE(arrival.host.empty());
  CHECK_FALSE(arrival.machine.empty());
  CHECK(arrival.boot == arrival_of(6).boot);
}

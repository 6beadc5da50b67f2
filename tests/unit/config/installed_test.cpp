#include "harness/config/installed.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

using rackproof::config::FileOf;
using rackproof::config::files_of;
using rackproof::config::Paths;
using rackproof::config::resolve_config;
using rackproof::config::site_folders;
using rackproof::support::UsageError;
using rackproof::test::Folder;

namespace {

Paths paths_in(const Folder& folder) {
  Paths paths;
  paths.suites = folder.path("suites");
  paths.platforms = folder.path("platforms");
  return paths;
}

}  // namespace

TEST_CASE("a configuration is a path or a name that is there") {
  const Folder folder;
  folder.write("suites/smoke.json", "{}");
  folder.write("suites/acceptance.json", "{}");
  const Paths paths = paths_in(folder);
  CHECK(resolve_config("smoke", paths, FileOf::kSuite) == folder.path("suites/smoke.json"));
  CHECK(resolve_config("./mine", paths, FileOf::kSuite) == "./mine");
  CHECK(resolve_config("mine.json", paths, FileOf::kSuite) == "mine.json");
  CHECK_THROWS_WITH(
      resolve_config("smok", paths, FileOf::kSuite),
      Catch::Contains("there is no suite called 'smok'") && Catch::Contains("'smoke'"));
  CHECK_THROWS_AS(resolve_config("", paths, FileOf::kPlatform), UsageError);
  CHECK_THROWS_AS(resolve_config("smoke", paths, FileOf::kPlatform), UsageError);
}

TEST_CASE("a site adds suites and tables, and hides none") {
  const Folder folder;
  folder.write("suites/smoke.json", "{}");
  folder.write("site/suites/night.json", "{}");
  folder.write("site/platforms/rack7.json", "{}");
  folder.write("other/readme", "");
  Paths paths = paths_in(folder);
  paths.sites = {folder.path("site"), folder.path("other"), folder.path("site")};
  CHECK(resolve_config("night", paths, FileOf::kSuite) == folder.path("site/suites/night.json"));
  CHECK(resolve_config("rack7", paths, FileOf::kPlatform) ==
        folder.path("site/platforms/rack7.json"));
  CHECK(files_of(paths, FileOf::kSuite).size() == 2);
  folder.write("site/suites/smoke.json", "{}");
  CHECK_THROWS_WITH(resolve_config("night", paths, FileOf::kSuite),
                    Catch::Contains("two files for the suite 'smoke'") &&
                        Catch::Contains(folder.path("suites/smoke.json")) &&
                        Catch::Contains(folder.path("site/suites/smoke.json")));
}

TEST_CASE("folders of the site are those that the environment names and that are there") {
  const Folder folder;
  folder.write("one/suites/a.json", "{}");
  folder.write("home/.config/rackproof/suites/b.json", "{}");
  folder.write("xdg/rackproof/suites/c.json", "{}");
  std::vector<std::string> expected = {folder.path("one"), folder.path("xdg/rackproof")};
  const bool of_system = std::filesystem::is_directory("/etc/rackproof");
  if (of_system) expected.push_back("/etc/rackproof");
  CHECK(site_folders({{"RACKPROOF_PATH", ":" + folder.path("one") + ":"},
                      {"XDG_CONFIG_HOME", folder.path("xdg")},
                      {"HOME", folder.path("home")}}) == expected);
  CHECK(site_folders({{"HOME", folder.path("home")}}).front() ==
        folder.path("home/.config/rackproof"));
  CHECK(site_folders({{"RACKPROOF_PATH", ""}, {"HOME", folder.path("home")}}).empty());
  CHECK(site_folders({}).size() == (of_system ? 1 : 0));
  for (const std::string& wrong : {std::string("relative"), folder.path("none")}) {
    CHECK_THROWS_WITH(site_folders({{"RACKPROOF_PATH", wrong}}),
                      Catch::Contains("RACKPROOF_PATH: '" + wrong + "'"));
  }
}

TEST_CASE("a folder of the site in which everybody may write is refused") {
  namespace fs = std::filesystem;
  const Folder folder;
  folder.write("site/platforms/a.json", "{}");
  fs::permissions(folder.path("site/platforms"), fs::perms::others_write, fs::perm_options::add);
  CHECK_THROWS_WITH(site_folders({{"RACKPROOF_PATH", folder.path("site")}}),
                    Catch::Contains(folder.path("site/platforms") + ": everybody may write"));
}

#include "harness/config/installed.hpp"

#include <catch2/catch.hpp>

#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

using rackproof::config::resolve_config;
using rackproof::support::UsageError;
using rackproof::test::Folder;

TEST_CASE("a configuration is a path or a name that is there") {
  const Folder folder;
  folder.write("smoke.json", "{}");
  folder.write("acceptance.json", "{}");
  CHECK(resolve_config("smoke", folder.path(), "suite") == folder.path("smoke.json"));
  CHECK(resolve_config("./mine", folder.path(), "suite") == "./mine");
  CHECK(resolve_config("mine.json", folder.path(), "suite") == "mine.json");
  CHECK_THROWS_WITH(
      resolve_config("smok", folder.path(), "suite"),
      Catch::Contains("there is no suite called 'smok'") && Catch::Contains("'smoke'"));
  CHECK_THROWS_AS(resolve_config("", folder.path(), "platform"), UsageError);
  CHECK_THROWS_AS(resolve_config("smoke", folder.path("none"), "suite"), UsageError);
}

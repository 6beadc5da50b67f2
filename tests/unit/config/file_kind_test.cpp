#include "harness/config/file_kind.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/folder.hpp"

using rackproof::config::FileKind;
using rackproof::config::kind_of;
using rackproof::test::Folder;

TEST_CASE("a file is known by what only its kind has, and comments may come first") {
  const Folder folder;
  const auto kind = [&folder](const std::string& text) {
    folder.write("file.json", text);
    return kind_of(folder.path("file.json"));
  };
  CHECK(kind("// mine\n{\"schema\": \"rackproof/suite/1\"}") == FileKind::kSuite);
  CHECK(kind("{\"schema\": \"rackproof/platform/1\"}") == FileKind::kPlatform);
  CHECK(kind("{\"$schema\": \"x\", \"const\": \"rackproof/suite/1\"}") == FileKind::kSchema);
  CHECK(kind("{\"kind\":\"hello\"}\n{\"kind\":\"end\"}\n") == FileKind::kRecords);
  CHECK(kind(std::string(5000, ' ') + "{\"schema_version\": \"1.9\"}") == FileKind::kReport);
  CHECK(kind("{}") == FileKind::kUnknown);
}

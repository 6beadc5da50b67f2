#include "harness/support/files.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "harness/support/errors.hpp"
#include "tests/unit/folder.hpp"

using namespace rackproof::support;
using rackproof::test::Folder;

TEST_CASE("names in a folder come without their ending, sorted") {
  const Folder folder;
  folder.write("b.json", "");
  folder.write("a.json", "");
  folder.write(".json", "");
  folder.write("c.txt", "");
  CHECK(names_in(folder.path(), ".json") == std::vector<std::string>{"a", "b"});
  CHECK(names_in(folder.path("none"), ".json").empty());
}

TEST_CASE("a folder stands for the .json files below it, anything else for itself") {
  const Folder folder;
  folder.write("b.json", "");
  folder.write("a/c.json", "");
  folder.write("a/.hidden.json", "");
  folder.write("a/notes.txt", "");
  folder.write("a/d.json.zst", "");
  std::filesystem::create_directory_symlink(folder.path(), folder.path("a/again"));
  CHECK(json_files_in(folder.path()) == std::vector<std::string>{folder.path("a/c.json"),
                                                                 folder.path("a/d.json.zst"),
                                                                 folder.path("b.json")});
  CHECK(json_files_in(folder.path("none")) == std::vector<std::string>{folder.path("none")});
  folder.write("empty/notes.txt", "");
  CHECK_THROWS_WITH(json_files_in(folder.path("empty")),
                    Catch::EndsWith("holds no file that ends in .json"));
}

TEST_CASE("a file is read whole, bytes and all") {
  const Folder folder;
  const std::string bytes("a\0\xff\r\nb", 6);
  folder.write("file", bytes);
  folder.write("empty", "");
  CHECK(read_file(folder.path("file")) == bytes);
  CHECK(read_file(folder.path("empty")).empty());
}

TEST_CASE("what cannot be read is named with its reason") {
  const Folder folder;
  CHECK_THROWS_WITH(read_file(folder.path("none")),
                    folder.path("none") + ": there is no such file");
  CHECK_THROWS_WITH(read_file(folder.path()), Catch::EndsWith("is a directory, expected a file"));
  folder.write("huge", "");
  std::filesystem::resize_file(folder.path("huge"), (std::uintmax_t{1} << 30) + 1);
  CHECK_THROWS_WITH(read_file(folder.path("huge")), Catch::EndsWith("is larger than 1 GiB"));
  std::filesystem::create_symlink(folder.path("none"), folder.path("dangling"));
  CHECK_THROWS_WITH(read_file(folder.path("dangling")), Catch::EndsWith("there is no such file"));
  if (geteuid() != 0) {
    folder.write("secret", "x");
    std::filesystem::permissions(folder.path("secret"), std::filesystem::perms::none);
    CHECK_THROWS_WITH(read_file(folder.path("secret")), Catch::Contains("cannot be read"));
  }
}

TEST_CASE("what is not there is told apart from what cannot be read") {
  const Folder folder;
  std::filesystem::create_symlink("loop", folder.path("loop"));
  CHECK_THROWS_WITH(read_file(folder.path("none")), Catch::Contains("there is no such file"));
  CHECK_THROWS_WITH(read_file(folder.path("loop")), Catch::Contains("symbolic links"));
  CHECK(names_in(folder.path("none"), ".json").empty());
  CHECK_THROWS_WITH(names_in(folder.path("loop"), ".json"), Catch::Contains("cannot be read"));
}

TEST_CASE("a file is read at places, and one that became shorter is told") {
  const Folder folder;
  folder.write("file", "0123456789");
  const InputFile file(folder.path("file"));
  REQUIRE(file.size() == 10);
  std::string text(4, ' ');
  file.bytes()(3, text.size(), text.data());
  CHECK(text == "3456");
  std::filesystem::resize_file(folder.path("file"), 5);
  CHECK_THROWS_WITH(file.bytes()(3, text.size(), text.data()),
                    folder.path("file") + ": became shorter while it was read");
  CHECK_THROWS_AS(file.bytes()(3, text.size(), text.data()), UsageError);
}

TEST_CASE("what is no regular file has nothing to be read at places") {
  const Folder folder;
  CHECK(InputFile(folder.path("none")).size() == 0);
  CHECK(InputFile(folder.path()).size() == 0);
}

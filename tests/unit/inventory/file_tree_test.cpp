#include "harness/inventory/file_tree.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {

TEST_CASE("a reading has the text or the reason") {
  const Machine machine;
  machine.write("/sys/one", "  12\n");
  machine.write("/sys/none", "\n");
  const FileTree tree(machine.root());
  CHECK(tree.read("/sys/one").text == "12");
  CHECK(tree.read("/sys/one").path == "/sys/one");
  CHECK(tree.integer("/sys/one") == 12);
  CHECK(tree.read("/sys/none").text == "");
  CHECK_FALSE(tree.integer("/sys/none"));
  CHECK_FALSE(tree.read("/sys/absent").text);
  CHECK(tree.read("/sys/absent").why == "No such file or directory");
  CHECK(tree.read("/sys").why == "not a regular file");
  CHECK_FALSE(tree.live());
}

TEST_CASE("a pipe without a writer does not hang a reading") {
  const Machine machine;
  REQUIRE(::mkfifo((machine.root() + "/pipe").c_str(), 0600) == 0);
  CHECK(FileTree(machine.root()).read("/pipe").why == "not a regular file");
}

TEST_CASE("a huge file is cut, not swallowed") {
  const Machine machine;
  machine.write("/big", std::string(3'000'000, 'x'));
  const Reading reading = FileTree(machine.root()).read("/big");
  REQUIRE(reading.text);
  CHECK(reading.text->size() < 1'100'000);
}

TEST_CASE("folders, links and programs") {
  const Machine machine;
  machine.write("/d/b", "");
  machine.write("/d/a", "");
  machine.link("/d/driver", "../../drivers/mlx5_core");
  const FileTree tree(machine.root());
  CHECK(tree.names("/d") == std::vector<std::string>{"a", "b", "driver"});
  CHECK(tree.names("/absent").empty());
  CHECK(tree.link_name("/d/driver") == "mlx5_core");
  CHECK_FALSE(tree.link_name("/d/a"));
  CHECK_FALSE(tree.executable("/d/a"));
  REQUIRE(::chmod((machine.root() + "/d/a").c_str(), 0755) == 0);
  CHECK(tree.executable("/d/a"));
  CHECK_FALSE(tree.executable("/d"));
}

TEST_CASE("lists of numbers") {
  CHECK(parse_list("0-2,8\n") == std::vector<int>{0, 1, 2, 8});
  CHECK(parse_list("3,1,1") == std::vector<int>{1, 3});
  CHECK(parse_list("") == std::vector<int>{});
  for (const char* bad : {"x", "3-1", "-1", "1-", "0-99999999999", "0-2000000", "1,,2"}) {
    INFO(bad);
    CHECK_FALSE(parse_list(bad));
  }
}

TEST_CASE("numbers are whole texts") {
  CHECK(to_integer(" 42 ") == 42);
  CHECK_FALSE(to_integer("42x"));
  CHECK_FALSE(to_integer("99999999999999999999"));
  CHECK(to_number("0.42") == 0.42);
  CHECK_FALSE(to_number("nan"));
  CHECK_FALSE(to_number("inf"));
  CHECK_FALSE(to_number(""));
}

TEST_CASE("a line's value is found by its whole key") {
  const std::string text = "model name : A B\nmodel : 7\nno separator\n";
  CHECK(line_value(text, "model", ':') == "7");
  CHECK(line_value(text, "model name", ':') == "A B");
  CHECK_FALSE(line_value(text, "name", ':'));
}

}  // namespace rackproof::inventory

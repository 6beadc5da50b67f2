#include "harness/document/located_json.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "harness/document/document.hpp"
#include "tests/unit/config/support.hpp"

namespace document = rackproof::document;
using namespace rackproof::config;

namespace {

std::string parse_error(std::string_view text) {
  return complaint([&] { document::parse("f", text); });
}

const document::Node& field(const document::Node& node, const std::string& name) {
  for (const document::Member& member : std::get<document::Node::Members>(node.value)) {
    if (member.name == name) return member.node;
  }
  throw std::out_of_range(name);
}

}  // namespace

TEST_CASE("every value knows its line") {
  const document::Node root =
      document::parse("f",
                      "// first line\n{\n \"a\": 1\n, \"b\": [2,\n3\n\n],\"c\":\n"
                      "\"x\"/* two\nlines */,\"d\":-0.5\n}");
  CHECK(root.line == 2);
  CHECK(field(root, "a").line == 3);
  CHECK(field(root, "b").line == 4);
  const auto& list = std::get<document::Node::List>(field(root, "b").value);
  CHECK(list[0].line == 4);
  CHECK(list[1].line == 5);
  CHECK(field(root, "c").line == 8);
  CHECK(field(root, "d").line == 9);
}

TEST_CASE("each type arrives as itself") {
  const document::Node root =
      document::parse("f", R"({"n":null,"b":true,"i":-3,"d":3.0,"t":"é","l":[],"o":{}})");
  CHECK(std::holds_alternative<std::nullptr_t>(field(root, "n").value));
  CHECK(std::get<bool>(field(root, "b").value));
  CHECK(std::get<std::int64_t>(field(root, "i").value) == -3);
  CHECK(std::get<double>(field(root, "d").value) == 3.0);
  CHECK(std::get<std::string>(field(root, "t").value) == "é");
  CHECK(std::get<document::Node::List>(field(root, "l").value).empty());
  CHECK(std::get<document::Node::Members>(field(root, "o").value).empty());
}

TEST_CASE("integers of the whole 64-bit range are kept, those outside refused") {
  const document::Node root = document::parse("f", "[9223372036854775807, -9223372036854775808]");
  const auto& list = std::get<document::Node::List>(root.value);
  CHECK(std::get<std::int64_t>(list[0].value) == INT64_MAX);
  CHECK(std::get<std::int64_t>(list[1].value) == INT64_MIN);
  const std::string tail = " does not fit in 64 bits; expected -2^63 to 2^63-1";
  CHECK(parse_error("[1,\n9223372036854775808]") ==
        "f:2: [1]: the integer 9223372036854775808" + tail);
  CHECK(parse_error("{\"a\":-9223372036854775809}") ==
        "f:1: a: the integer -9223372036854775809" + tail);
  CHECK(parse_error("99999999999999999999999") ==
        "f:1: the integer 99999999999999999999999" + tail);
}

TEST_CASE("what JSON readers let through is refused") {
  CHECK(parse_error("{\"a\": {\"x\": 1,\n\"x\": 2}}") ==
        "f:2: a.x: the field is given twice in one object; expected each field once");
  CHECK(parse_error("[1e999]") ==
        "f:1: [0]: the number 1e999 is too large; expected a finite 64-bit number");
  CHECK(parse_error("\xEF\xBB\xBF{}") ==
        "f:1: begins with a byte order mark; expected UTF-8 without one");
  CHECK(parse_error("{\n\"a\": \"\xC3(\"}") ==
        "f:2: a byte that is not UTF-8; expected a UTF-8 text file");
  CHECK(parse_error("{}\n{}") ==
        "f:2: not JSON: syntax error while parsing value - unexpected '{'; expected end of input");
  CHECK(parse_error("") == "f: is empty; expected a JSON document");
  CHECK(parse_error(" \n\t") == "f: is empty; expected a JSON document");
  CHECK(parse_error("[NaN]").find("f:1: [0]: not JSON: ") == 0);
  CHECK(parse_error("[1,]").find("f:1: [1]: not JSON: ") == 0);
  CHECK(parse_error(std::string_view("[1]\n\0{}", 7)) ==
        "f:2: a NUL byte; expected a UTF-8 text file");
}

TEST_CASE("nesting is bounded, at any depth that is sent") {
  const std::string good =
      std::string(document::kMaxDepth, '[') + std::string(document::kMaxDepth, ']');
  CHECK(parse_error(good) == "accepted");
  CHECK(parse_error("[" + good + "]") == "f:1: nested deeper than 64 levels");
  CHECK(parse_error(std::string(10'000, '[')) == "f:1: nested deeper than 64 levels");
  std::string objects;
  for (int i = 0; i < 10'000; ++i) objects += "{\"a\":";
  CHECK(parse_error(objects) == "f:1: nested deeper than 64 levels");
}

TEST_CASE("the number of values is bounded") {
  CHECK(complaint([] { document::parse("f", "[1,2,3]", 4); }) == "accepted");
  CHECK(complaint([] { document::parse("f", "[1,2,3]", 3); }) ==
        "f:1: more than 3 values; no such file is that large");
}

TEST_CASE("a message stays short whatever the file holds") {
  const std::string text = parse_error("\"" + std::string(1'000'000, 'x'));
  CHECK(text.size() < 400);
  CHECK(parse_error("{\"" + std::string(1'000'000, 'k') + "\": 1e999}").size() < 800);
}

TEST_CASE("a file that cannot be read says why") {
  const TemporaryFolder folder;
  const auto read_error = [](const std::string& path) {
    return complaint([&] { document::read_file(path); });
  };
  CHECK(read_error(folder.path()) == folder.path() + ": is a directory; expected a file");
  const std::string absent = folder.path() + "/absent";
  CHECK(read_error(absent) == absent + ": cannot be read (No such file or directory)");
  const std::string pipe = folder.path() + "/pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(read_error(pipe) == pipe + ": is not a regular file");
  const std::string locked = folder.file("locked", "{}");
  REQUIRE(::chmod(locked.c_str(), 0) == 0);
  if (::geteuid() != 0)
    CHECK(read_error(locked) == locked + ": cannot be read (Permission denied)");
}

TEST_CASE("size is looked at before anything is read") {
  const TemporaryFolder folder;
  const std::string large = folder.file("large", "");
  std::filesystem::resize_file(large, 100'000'000);
  CHECK(complaint([&] { document::load_document(large); }) ==
        large + ": is 100000000 bytes long; at most 67108864 bytes (64 MiB) are read");
  std::filesystem::resize_file(large, document::kMaxFileBytes);
  CHECK(complaint([&] { document::load_document(large); }) ==
        large + ":1: a NUL byte; expected a UTF-8 text file");
}

TEST_CASE("a whole file comes back byte for byte") {
  const TemporaryFolder folder;
  CHECK(document::read_file(folder.file("a", "")).empty());
  CHECK(document::read_file(folder.file("b", "one\r\ntwo")) == "one\r\ntwo");
  CHECK_FALSE(document::read_file("/proc/self/status").empty());
}

TEST_CASE("a message is one printable line, whatever the fields are called") {
  const std::string text = parse_error("{\"a\\nb\\u001b[2J\": [x]}");
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.starts_with("f:1: a b?[2J"));
  CHECK(parse_error("{\"" + std::string(100'000, 'n') + "\": [x]}").size() < 1000);
}

#include "benches/align/lines.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream in(text);
  Lines lines(in, "text");
  std::vector<std::string> all;
  for (std::string line; lines.next(line);) all.push_back(line);
  return all;
}

std::string complaint_of_lines(const std::string& text) {
  try {
    lines_of(text);
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("lines end with a newline, with that of Windows, or with the file") {
  CHECK(lines_of("").empty());
  CHECK(lines_of("a\nb") == std::vector<std::string>{"a", "b"});
  CHECK(lines_of("a\r\n\r\nb\r\n") == std::vector<std::string>{"a", "", "b"});
}

TEST_CASE("what is no text is told with its line") {
  CHECK(complaint_of_lines("a\nb\x01") == "text:2: the byte 0x01: expected text");
  CHECK(complaint_of_lines(std::string("\x1f\x8b\x08\x00", 4)) ==
        "text:1: this file is compressed with gzip: expected text; unpack it first");
  CHECK(complaint_of_lines("\x7f"
                           "ELF") == "text:1: the byte 0x7f: expected text");
}

TEST_CASE("a line has a most length, and the reader does not take in more of it") {
  CHECK(complaint_of_lines(std::string(Lines::kMostBytes, 'A')).empty());
  CHECK(complaint_of_lines("A\n" + std::string(9 * Lines::kMostBytes, 'A')) ==
        "text:2: a line of more than 1048576 bytes: expected shorter lines");
}

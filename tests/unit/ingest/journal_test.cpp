#include "harness/ingest/journal.hpp"

#include <catch2/catch.hpp>

#include "tests/fakes/sealed.hpp"

using rackproof::fakes::sealed;
using rackproof::ingest::for_each_line;
using rackproof::ingest::Line;

namespace {

std::vector<std::string> kinds(std::string_view bytes) {
  std::vector<std::string> out;
  for_each_line(sealed(bytes), [&](const Line& line) { out.push_back(line.kind()); });
  return out;
}

}  // namespace

TEST_CASE("a journal that comes in parts is the same as whole, wherever they end") {
  const std::string bytes =
      sealed("{\"j\":\"a\"}\nrubbish\n{\"j\":\"b\"}\n{\"j\":\"c\"}\n") + "{\"j";
  for (const std::size_t size : {1, 2, 3, 7, 40, 1000}) {
    std::vector<std::string> seen;
    rackproof::ingest::JournalScan scan(
        [&](const Line& line) { seen.push_back(line.kind() + std::to_string(line.number)); });
    for (std::size_t at = 0; at < bytes.size(); at += size) {
      scan.feed(std::string_view(bytes).substr(at, size));
    }
    const auto damages = scan.finish();
    REQUIRE(damages.size() == 2);
    CHECK(damages[0].line == 2);
    CHECK(damages[1].line == 5);
    CHECK(damages[1].torn_tail);
    CHECK(seen == std::vector<std::string>{"a1", "b3", "c4"});
  }
}

TEST_CASE("entries come in order") {
  CHECK(kinds("{\"j\":\"a\"}\n{\"j\":\"b\",\"x\":1}\n") == std::vector<std::string>{"a", "b"});
  CHECK(kinds("").empty());
}

TEST_CASE("a tail without newline is torn, even if it looks whole") {
  int seen = 0;
  const auto damages =
      for_each_line(sealed("{\"j\":\"a\"}\n{\"j\":\"b\"}"), [&](const Line&) { ++seen; });
  CHECK(seen == 1);
  REQUIRE(damages.size() == 1);
  CHECK(damages[0].torn_tail);
  CHECK(damages[0].line == 2);
}

TEST_CASE("a bad line in the middle is named and the rest is read") {
  std::vector<std::string> seen;
  const auto damages = for_each_line(sealed("{\"j\":\"a\"}\nrubbish\n{\"j\":\"c\"}\n"),
                                     [&](const Line& line) { seen.push_back(line.kind()); });
  CHECK(seen == std::vector<std::string>{"a", "c"});
  REQUIRE(damages.size() == 1);
  CHECK_FALSE(damages[0].torn_tail);
  CHECK(damages[0].line == 2);
}

TEST_CASE("a line that is not what was written is named and not read") {
  std::string bytes = sealed("{\"j\":\"a\",\"x\":1}\n{\"j\":\"b\"}\n{\"j\":\"c\"}\n");
  std::vector<std::string> seen;
  const auto take = [&](const Line& line) { seen.push_back(line.kind()); };
  bytes[bytes.find('1')] = '2';
  auto damages = for_each_line(bytes, take);
  CHECK(seen == std::vector<std::string>{"b", "c"});
  REQUIRE(damages.size() == 1);
  CHECK(damages[0].line == 1);
  CHECK_FALSE(damages[0].torn_tail);
  CHECK(damages[0].what.find("not what was written") != std::string::npos);
  // Without seals nothing is a journal line.
  seen.clear();
  CHECK(for_each_line("{\"j\":\"a\"}\n{\"j\":\"b\"}\n", take).size() == 2);
  CHECK(seen.empty());
}

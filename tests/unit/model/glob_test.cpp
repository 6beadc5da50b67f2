#include "reports/model/glob.hpp"

#include <catch2/catch.hpp>
#include <string>

namespace rackproof::model {

TEST_CASE("a glob matches the whole text") {
  CHECK(glob_match("", ""));
  CHECK_FALSE(glob_match("", "a"));
  CHECK_FALSE(glob_match("a", ""));
  CHECK(glob_match("stream.triad", "stream.triad"));
  CHECK_FALSE(glob_match("stream", "stream.triad"));
  CHECK_FALSE(glob_match("triad", "stream.triad"));
  CHECK_FALSE(glob_match("Stream.*", "stream.triad"));
}

TEST_CASE("a star stands for any run, a question mark for one") {
  CHECK(glob_match("*", ""));
  CHECK(glob_match("*", "anything"));
  CHECK(glob_match("stream.*", "stream."));
  CHECK(glob_match("stream.*", "stream.triad"));
  CHECK(glob_match("*.triad", "stream.triad"));
  CHECK(glob_match("s*m.t*d", "stream.triad"));
  CHECK(glob_match("a*b*c", "aXbYbZc"));
  CHECK_FALSE(glob_match("a*b*c", "aXbYbZ"));
  CHECK(glob_match("**", "x"));
  CHECK(glob_match("a?c", "abc"));
  CHECK_FALSE(glob_match("a?c", "ac"));
  CHECK_FALSE(glob_match("?", ""));
  CHECK(glob_match("*?", "a"));
  CHECK_FALSE(glob_match("*?", ""));
}

TEST_CASE("nothing else is special") {
  CHECK_FALSE(glob_match("[ab]", "a"));
  CHECK(glob_match("[ab]", "[ab]"));
  CHECK_FALSE(glob_match("a.c", "abc"));
}

TEST_CASE("a pattern made to be slow is not") {
  std::string pattern;
  for (int i = 0; i < 50; ++i) pattern += "a*";
  pattern += "b";
  CHECK_FALSE(glob_match(pattern, std::string(5000, 'a')));
}

}  // namespace rackproof::model

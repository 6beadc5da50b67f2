#include "reports/model/printable.hpp"

#include <catch2/catch.hpp>

namespace rackproof::model {

TEST_CASE("control characters do not get through") {
  CHECK(printable("plain text, \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80") ==
        "plain text, \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
  CHECK(printable("\x1B[31mred\x1B[0m") == "?[31mred?[0m");
  CHECK(printable("\x1B]0;title\x07") == "?]0;title?");
  CHECK(printable(std::string_view("a\0b", 3)) == "a?b");
  CHECK(printable("a\nb\r\nc\td") == "a b  c d");
  CHECK(printable("\x7F") == "?");
  CHECK(printable("\xC2\x9B"
                  "31m") == "?31m");  // C1 CSI
  CHECK(printable("a\xE2\x80\xAE"
                  "b") == "a?b");  // right-to-left override
  CHECK(printable("a\xE2\x80\xA8"
                  "b") == "a?b");  // line separator
}

TEST_CASE("bytes that are not UTF-8 do not get through") {
  CHECK(printable("\xFF\xFE") == "??");
  CHECK(printable("a\xC3") == "a?");
  CHECK(printable("\xC0\x9B") == "??");            // overlong escape
  CHECK(printable("\xED\xA0\x80") == "???");       // surrogate
  CHECK(printable("\xF4\x90\x80\x80") == "????");  // above U+10FFFF
}

TEST_CASE("long text is cut at whole characters") {
  CHECK(printable("abcdef", 6) == "abcdef");
  CHECK(printable("abcdef", 3) == "abc...");
  CHECK(printable("\xC3\xA9\xC3\xA9\xC3\xA9", 2) == "\xC3\xA9\xC3\xA9...");
}

TEST_CASE("well-formedness is told and made") {
  CHECK(is_well_formed(""));
  CHECK(is_well_formed("\xC3\xA9\x1B"));
  CHECK_FALSE(is_well_formed("\xC3"));
  CHECK(well_formed("a\xFF"
                    "b") ==
        "a\xEF\xBF\xBD"
        "b");
  CHECK(well_formed("\xC3\xA9") == "\xC3\xA9");
  CHECK(character_count("a\xC3\xA9\xE2\x82\xAC") == 3);
}

}  // namespace rackproof::model

#include "reports/json/strict_json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

namespace rackproof::model {
namespace {

BadJson refusal(std::string_view text, const JsonLimits& limits = {}) {
  try {
    parse_strict(text, limits);
  } catch (const BadJson& error) {
    return error;
  }
  FAIL("not refused: " << text.substr(0, 100));
  throw std::logic_error("not reached");
}

std::string why(std::string_view text, const JsonLimits& limits = {}) {
  return refusal(text, limits).what();
}

std::string nested(int depth) {
  return std::string(static_cast<std::size_t>(depth), '[') +
         std::string(static_cast<std::size_t>(depth), ']');
}

}  // namespace

TEST_CASE("a document is read with the kinds of its numbers") {
  const auto document =
      parse_strict(R"( {"a": [1, 1.0, -2, 1e2, true, null, "x\u00e9"], "b": {}} )");
  CHECK(document["a"][0].is_number_integer());
  CHECK(document["a"][1].is_number_float());
  CHECK(document["a"][2] == -2);
  CHECK(document["a"][3].is_number_float());
  CHECK(document["a"][4] == true);
  CHECK(document["a"][5].is_null());
  CHECK(document["a"][6] == "x\xC3\xA9");
  CHECK(document["b"].is_object());
  CHECK(parse_strict("3") == 3);
  CHECK(parse_strict(R"([[],{},[{}]])").dump() == "[[],{},[{}]]");
  CHECK(parse_strict("9223372036854775807").get<std::int64_t>() == INT64_MAX);
  CHECK(parse_strict("-9223372036854775808").get<std::int64_t>() == INT64_MIN);
}

TEST_CASE("duplicate keys are refused at their place") {
  CHECK(why(R"({"a":1,"a":2})") == "the document: key \"a\" appears twice");
  CHECK(why(R"({"x":[0,{"y":{"k":1,"k":1}}]})") == "/x/1/y: key \"k\" appears twice");
  CHECK(why(R"({"k":1,"\u006b":2})") == "the document: key \"k\" appears twice");
  CHECK_NOTHROW(parse_strict(R"([{"a":1},{"a":2},{"b":{"a":1},"a":3}])"));
}

TEST_CASE("integers that do not fit are refused") {
  CHECK(why(R"({"a":[1,9223372036854775808]})") ==
        "/a/1: integer 9223372036854775808 does not fit 64 bits with sign");
  CHECK(why("-9223372036854775809").find("does not fit") != std::string::npos);
  CHECK(why("123456789012345678901234567890").find("does not fit") != std::string::npos);
  const BadJson error = refusal("[1e999]");
  CHECK(std::string(error.what()).find("number overflow") != std::string::npos);
  CHECK_FALSE(error.truncated);
}

TEST_CASE("a byte order mark is refused, which the parser itself would pass over") {
  CHECK_THROWS_WITH(parse_strict("\xEF\xBB\xBF{}"), Catch::Contains("byte order mark"));
}

TEST_CASE("depth is bounded") {
  CHECK_NOTHROW(parse_strict(nested(64)));
  CHECK(why(nested(65)) == "nested deeper than 64 levels");
  CHECK(why(std::string(1000000, '[')) == "nested deeper than 64 levels");
  CHECK(why("{\"a\":[1]}", {.depth = 1}) == "nested deeper than 1 levels");
}

TEST_CASE("size is bounded") {
  CHECK(why("[1,2,3]", {.bytes = 6}) == "document of 7 bytes, at most 6 are read");
  CHECK_NOTHROW(parse_strict("[1,2,3]", {.bytes = 7}));
  CHECK(why(R"({"a":"12345"})", {.string_bytes = 4}) == "/a: text of 5 bytes, at most 4 are read");
  CHECK(why(R"({"abcde":1})", {.string_bytes = 4}).find("text of 5 bytes") != std::string::npos);
}

TEST_CASE("what is cut off is called cut off") {
  const std::string whole = R"({"a": [1.5, true, "x\u00e9", {"b": null}], "c": -3})";
  CHECK_NOTHROW(parse_strict(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    INFO(length);
    CHECK(refusal(std::string_view(whole).substr(0, length)).truncated);
  }
  CHECK(why("{\"a\":\n [1,") ==
        "line 2, column 5: the document ends in the middle: it was cut off");
  CHECK(why("  \n") == "the document is empty");
}

TEST_CASE("what is not JSON is told with line and column, in printable text") {
  const BadJson error = refusal("{\n  \"a\": nope\n}");
  CHECK(error.line == 2);
  CHECK(error.column == 9);
  CHECK(error.what() == "line 2, " + error.reason);
  CHECK_FALSE(error.truncated);
  CHECK_FALSE(refusal("{} {}").truncated);
  CHECK_FALSE(refusal("{'a':1}").truncated);
  CHECK_FALSE(refusal("[1,]").truncated);
  CHECK_FALSE(refusal("// note\n{}").truncated);
  CHECK_FALSE(refusal("[NaN]").truncated);
  CHECK_FALSE(refusal("\"a\xFF\"").truncated);
  const std::string garbage = why("\x1B[31m" + std::string(100000, '\x01'));
  CHECK(garbage.size() < 400);
  CHECK(garbage.find('\x1B') == std::string::npos);
}

}  // namespace rackproof::model

#include "benches/protocol/json_writer.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

using namespace rackproof::protocol;
using Json = nlohmann::json;

TEST_CASE("values are separated in the order they are told") {
  JsonWriter json;
  json.begin_object().key("a").begin_array().integer(1).integer(-2).end_array();
  json.key("b").begin_object().end_object().key("c").boolean(true).key("d").raw("[null]");
  json.end_object();
  CHECK(json.take() == R"({"a":[1,-2],"b":{},"c":true,"d":[null]})");
  json.begin_array().end_array();
  CHECK(json.take() == "[]");
}

TEST_CASE("numbers read back as the same double") {
  for (const double value :
       {0.0, -0.0, 0.1, 1e300, 5e-324, 123456789.123, 1e22, std::numeric_limits<double>::max()}) {
    JsonWriter json;
    json.begin_array().number(value).end_array();
    CHECK(Json::parse(json.take())[0].get<double>() == value);
  }
  JsonWriter json;
  CHECK_THROWS_AS(json.number(std::nan("")), std::invalid_argument);
  CHECK_THROWS_AS(json.number(-std::numeric_limits<double>::infinity()), std::invalid_argument);
}

TEST_CASE("text comes back as it went in") {
  std::string all;
  for (char c = 1; c < 127; ++c) all += c;
  all += '\0';
  all += "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\x7F";
  CHECK(Json::parse(quote(all)).get<std::string>() == all);
  CHECK(quote("a\n\"\\\t") == R"("a\n\"\\\t")");
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD") {
  const std::string mark = "\xEF\xBF\xBD";
  for (const std::string bad : {"\x80", "\xC0", "\xFF", "\xC1", "\xF5"}) {
    CHECK(quote("a" + bad + "b") == "\"a" + mark + "b\"");
    CHECK_FALSE(is_utf8(bad));
  }
  CHECK(quote("\xE2\x82") == "\"" + mark + mark + "\"");
}

TEST_CASE("overlong forms, surrogates and what is above U+10FFFF are not UTF-8") {
  for (const char* bad : {"\xC0\xAF", "\xE0\x80\x80", "\xE0\x9F\xBF", "\xED\xA0\x80",
                          "\xF0\x8F\xBF\xBF", "\xF4\x90\x80\x80", "\xE2\x28\xA1", "\xC3"}) {
    CHECK_FALSE(is_utf8(bad));
  }
  for (const char* good : {"", "plain", "\xC3\xA9", "\xED\x9F\xBF", "\xEE\x80\x80",
                           "\xF0\x90\x80\x80", "\xF4\x8F\xBF\xBF"}) {
    CHECK(is_utf8(good));
  }
}

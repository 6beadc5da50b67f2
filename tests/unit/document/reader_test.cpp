#include "harness/document/reader.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/config/support.hpp"

using namespace rackproof::config;
namespace document = rackproof::document;
namespace model = rackproof::model;

namespace {

// The complaint of `action` about the value, which stands in line 1 of file "f" as field "v".
template <typename Action>
std::string about(const std::string& json, Action action) {
  const document::Node node = document::parse("f", json);
  const std::string file = "f";
  const std::string text = complaint([&] { action(document::Field(file, node, "v")); });
  return text.rfind("f:1: v: ", 0) == 0 ? text.substr(8) : text;
}

double seconds(const std::string& text) {
  const document::Node node = document::parse("f", "\"" + text + "\"");
  const std::string file = "f";
  return document::Field(file, node, "v").seconds();
}

std::string time_complaint(const std::string& text) {
  return about("\"" + text + "\"", [](const document::Field& field) { field.seconds(); });
}

}  // namespace

TEST_CASE("times have units") {
  CHECK(seconds("600 s") == 600);
  CHECK(seconds("10 min") == 600);
  CHECK(seconds("1.5h") == 5400);
  CHECK(seconds("250 ms") == Approx(0.25));
  const std::string expected = "expected a time such as \"600 s\" or \"10 min\", got ";
  CHECK(time_complaint("600") == expected + "'600' without a unit");
  CHECK(time_complaint("soon") == expected + "'soon'");
  CHECK(time_complaint("inf s") == expected + "'inf s'");
  CHECK(time_complaint("1e400 s") == expected + "'1e400 s'");
  CHECK(time_complaint("0 s") == "expected a time above zero, got '0 s'");
  CHECK(time_complaint("-1 s") == "expected a time above zero, got '-1 s'");
  CHECK(time_complaint("5 sec") == "unknown unit 'sec'; expected ns, us, ms, s, min or h");
  CHECK(time_complaint("5 GB") ==
        "unit 'GB' is of B, not of time; expected ns, us, ms, s, min or h");
  CHECK(about("600", [](const document::Field& field) { field.seconds(); }) ==
        expected + "the number 600");
}

TEST_CASE("a wrong type says what was expected and what came") {
  const auto text = [](const document::Field& field) { field.text(); };
  CHECK(about("5", text) == "expected a text, got the number 5");
  CHECK(about("null", text) == "expected a text, got null");
  CHECK(about("[]", text) == "expected a text, got a list");
  CHECK(about("\"\"", text) == "expected a text, got an empty one");
  CHECK(about("\"a\\u0000\"", text) == "holds a control character; expected printable text");
  CHECK(about("\"" + std::string(1001, 'a') + "\"", text) ==
        "is 1001 bytes long; expected at most 1000");
  CHECK(about("1.0", [](const document::Field& field) { field.integer(1, 9); }) ==
        "expected an integer from 1 to 9, got the number 1");
  CHECK(about("10", [](const document::Field& field) { field.integer(1, 9); }) ==
        "expected an integer from 1 to 9, got the number 10");
  CHECK(about("1", [](const document::Field& field) { field.boolean(); }) ==
        "expected true or false, got the number 1");
  CHECK(about("{}", [](const document::Field& field) { field.items(); }) ==
        "expected a list, got an object");
  CHECK(about("true", [](const document::Field& field) { field.members(); }) ==
        "expected an object, got true");
  CHECK(about("[1]", [](const document::Field& field) { field.scalar(); }) ==
        "expected a text, a number, true or false, got a list");
}

TEST_CASE("names are plain") {
  CHECK(document::is_name("stream.triad_2-b"));
  CHECK(document::is_name(std::string(64, 'a')));
  CHECK_FALSE(document::is_name(std::string(65, 'a')));
  for (const char* bad : {"", ".", "..", "-x", "_x", "a/b", "a b", "a\n", "é", "a*"}) {
    INFO(bad);
    CHECK_FALSE(document::is_name(bad));
  }
}

TEST_CASE("an object refuses what it does not know, and misses what it needs") {
  CHECK(about(R"({"metircs": 1})", [](const document::Field& field) {
          document::Object(field, {"metrics", "unit"});
        }) == "f:1: v.metircs: unknown field 'metircs'; did you mean 'metrics'?");
  CHECK(about(R"({"q": 1})", [](const document::Field& field) {
          document::Object(field, {"metrics", "unit"});
        }) == "f:1: v.q: unknown field 'q'; expected one of metrics, unit");
  CHECK(about("{}", [](const document::Field& field) {
          document::Object(field, {"unit"}).require("unit");
        }) == "the field 'unit' is missing");
}

TEST_CASE("quantities become base units") {
  const document::Node node = document::parse("f", R"({"value": 760, "unit": "GB/s"})");
  const std::string file = "f";
  const document::Quantity quantity = document::read_quantity(document::Field(file, node, "v"));
  CHECK(quantity.value == 760e9);
  CHECK(quantity.unit == "B/s");
  const auto read = [](const document::Field& field) { document::read_quantity(field); };
  CHECK(about(R"({"value": 1, "unit": "gb/s"})", read) ==
        "f:1: v.unit: unknown unit 'gb/s'; did you mean 'GB/s'?");
  CHECK(about(R"({"value": 1e300, "unit": "PFLOP/s"})", read) ==
        "f:1: v.value: is too large for its unit");
}

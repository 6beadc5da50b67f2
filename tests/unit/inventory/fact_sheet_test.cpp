#include "harness/inventory/fact_sheet.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/inventory/machine.hpp"

namespace rackproof::inventory {

TEST_CASE("a fact has a value or a reason") {
  FactSheet sheet;
  sheet.put_integer("a", Reading{"/a", "12", ""}, 1000);
  sheet.put_integer("b", Reading{"/b", "12 apples", ""});
  sheet.put_integer("c", Reading{"/c", std::nullopt, "Permission denied"});
  sheet.put_integer("d", Reading{"/d", "9223372036854775807", ""}, 1000);
  sheet.put_text("e", Reading{"/e", "", ""});
  CHECK(number_in(sheet, "a") == 12000);
  CHECK(sheet.find("a")->source == "/a");
  CHECK(why_in(sheet, "b") == "not a whole number: \"12 apples\"");
  CHECK(why_in(sheet, "c") == "Permission denied");
  CHECK_FALSE(why_in(sheet, "d").empty());
  CHECK(why_in(sheet, "e") == "the file is empty");
  CHECK_FALSE(sheet.find("f"));
}

TEST_CASE("what comes from outside is made printable") {
  FactSheet sheet;
  sheet.put("a", std::string("x\xff\x01\ny"), "\xfe");
  CHECK(text_in(sheet, "a") == "x?? y");
  CHECK(sheet.find("a")->source == "?");
  sheet.put("b", std::string(10'000, 'x'), "");
  CHECK(text_in(sheet, "b").size() == 4096);
}

TEST_CASE("a number that is not finite is no value") {
  FactSheet sheet;
  sheet.put("a", std::numeric_limits<double>::quiet_NaN(), "computed");
  CHECK(why_in(sheet, "a") == "not a finite number");
}

TEST_CASE("a text is no number") {
  FactSheet sheet;
  sheet.put("a", std::string("unlimited"), "");
  CHECK_FALSE(sheet.number("a"));
  CHECK(sheet.text("a") == "unlimited");
  CHECK_FALSE(sheet.text("absent"));
}

}  // namespace rackproof::inventory

#include "contract/unit.hpp"

#include <catch2/catch.hpp>
#include <set>

namespace rackproof::contract {

TEST_CASE("every unit has a base that is a base, and a factor") {
  std::set<std::string_view> seen;
  for (const Unit& unit : kUnits) {
    INFO(unit.name);
    CHECK(seen.insert(unit.name).second);
    CHECK(find_unit(unit.name)->factor == unit.factor);
    CHECK(unit.factor > 0);
    CHECK(is_base_unit(unit.base));
    CHECK(is_base_unit(unit.name) == (unit.base == unit.name));
    if (is_base_unit(unit.name)) CHECK(unit.factor == 1);
  }
}

TEST_CASE("tables may name every base unit, and each ends names in words of its own") {
  std::set<std::string_view> words;
  for (const BaseUnit& unit : kBaseUnits) {
    INFO(unit.name);
    REQUIRE(find_unit(unit.name));
    CHECK(find_unit(unit.name)->base == unit.name);
    CHECK(find_base_unit(unit.name)->words == unit.words);
    CHECK(words.insert(unit.words).second);
  }
}

TEST_CASE("units convert") {
  CHECK(find_unit("GB/s")->factor == 1e9);
  CHECK(find_unit("GiB/s")->factor == 1073741824.0);
  CHECK(find_unit("Gb/s")->factor == 1.25e8);
  CHECK(find_unit("us")->base == "s");
  CHECK(find_unit("percent")->factor == 0.01);
}

TEST_CASE("case matters and unknown units are unknown") {
  for (const char* name : {"", "gb/s", "GBps", "B/s ", "mb/s"}) {
    CHECK_FALSE(find_unit(name));
    CHECK_FALSE(is_base_unit(name));
  }
}

}  // namespace rackproof::contract

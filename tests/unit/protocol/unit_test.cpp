#include "benches/protocol/unit.hpp"

#include <catch2/catch.hpp>
#include <set>

using namespace rackproof::protocol;

TEST_CASE("every unit has a base that is a base, and a factor") {
  std::set<std::string_view> seen;
  for (const std::string_view name : unit_names()) {
    CHECK(seen.insert(name).second);
    const auto unit = find_unit(name);
    REQUIRE(unit);
    CHECK(unit->factor > 0);
    CHECK(is_base_unit(unit->base));
    CHECK(is_base_unit(name) == (unit->base == name));
    if (is_base_unit(name)) CHECK(unit->factor == 1);
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

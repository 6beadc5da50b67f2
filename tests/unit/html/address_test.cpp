#include "reports/html/address.hpp"

#include <catch2/catch.hpp>

using rackproof::html::address_of;

TEST_CASE("an address is relative to the page, and nothing in it means anything") {
  CHECK(address_of("/a/b/report.json", "/a") == "b/report.json");
  CHECK(address_of("/a/b/report.json", "/c/d") == "../../a/b/report.json");
  CHECK(address_of("/a/b/report.json", "") == "file:///a/b/report.json");
  CHECK(address_of("/a/javascript:alert(1)/r", "/a") == "javascript%3Aalert%281%29/r");
  CHECK(address_of("/a/x?y#z \"<%", "/a") == "x%3Fy%23z%20%22%3C%25");
  CHECK(address_of("/a/\xC3\xA9", "/a") == "%C3%A9");
}

#include "reports/catalogue/catalogue.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <string>

namespace rackproof::model {
namespace {

bool is_kebab(std::string_view id) {
  if (id.empty() || id.front() == '-' || id.back() == '-') return false;
  return id.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string_view::npos &&
         id.find("--") == std::string_view::npos;
}

}  // namespace

TEST_CASE("every entry is whole and its id is unique within its kind") {
  std::set<std::string> seen;
  for (const catalogue::CatalogueEntry& entry : catalogue::catalogue()) {
    INFO(entry.id);
    CHECK(is_kebab(entry.id));
    CHECK((entry.kind == "verdict" || entry.kind == "finding" || entry.kind == "error"));
    CHECK(seen.insert(std::string(entry.kind) + "/" + std::string(entry.id)).second);
    CHECK(entry.title.size() > 10);
    CHECK(entry.title.size() <= 80);
    CHECK(entry.meaning.size() > 60);
    CHECK(entry.next.size() > 10);
    CHECK(entry.meaning.back() == '.');
    CHECK(entry.next.back() == '.');
  }
}

TEST_CASE("an entry is found by its id") {
  const auto entries = catalogue::find_entries("timed-out");
  REQUIRE(entries.size() == 1);
  CHECK(entries[0].kind == "verdict");
  for (const char* id : {"", "timed", "TIMED-OUT", "no-such-id"})
    CHECK(catalogue::find_entries(id).empty());
}

TEST_CASE("an id of two kinds gives both entries") {
  const auto entries = catalogue::find_entries("rank-lost");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].kind == "verdict");
  CHECK(entries[1].kind == "finding");
}

}  // namespace rackproof::model

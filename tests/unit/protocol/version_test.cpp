#include "benches/protocol/version.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::protocol;

TEST_CASE("a program says what it was built from") {
  CHECK_FALSE(version().empty());
  CHECK_FALSE(commit().empty());
  const std::string line = version_line("stream-host");
  CHECK(line.find("stream-host " + std::string(version()) + " (" + std::string(commit())) == 0);
  CHECK(build_facts().contains("compiler"));
  CHECK(build_facts().contains("type"));
}

TEST_CASE("every optional feature says what is lost without it") {
  CHECK_FALSE(features().empty());
  for (const Feature& feature : features()) {
    CHECK_FALSE(feature.name.empty());
    CHECK_FALSE(feature.lost.empty());
    CHECK(feature.on == feature.why_off.empty());
  }
}

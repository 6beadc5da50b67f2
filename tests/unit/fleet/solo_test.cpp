#include <catch2/catch.hpp>

#include "harness/fleet/team.hpp"

using rackproof::fleet::MessageKind;

TEST_CASE("a team of one hears itself, in order") {
  const auto team = rackproof::fleet::make_solo_team();
  CHECK(team->rank() == 0);
  CHECK(team->size() == 1);
  CHECK_FALSE(team->receive());
  team->send(0, MessageKind::kAt, "1");
  team->send(0, MessageKind::kToken, std::string("\0x", 2));
  const auto first = team->receive();
  REQUIRE(first);
  CHECK(first->kind == MessageKind::kAt);
  CHECK(team->receive()->body == std::string("\0x", 2));
  CHECK_FALSE(team->receive());
  team->leave(true);
}

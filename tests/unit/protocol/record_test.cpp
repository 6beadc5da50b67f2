#include "benches/protocol/record.hpp"

#include <catch2/catch.hpp>

namespace rackproof::protocol {

TEST_CASE("every kind of record has a word that leads back to it, and no other text does") {
  for (int i = static_cast<int>(Kind::kHello); i <= static_cast<int>(Kind::kEnd); ++i) {
    const Kind kind = static_cast<Kind>(i);
    CHECK(contract::word(kind) != "unknown");
    CHECK(contract::enumerator_of<Kind>(contract::word(kind)) == kind);
  }
  for (const char* text : {"", "Hello", "hello ", "unknown"}) {
    CHECK_FALSE(contract::enumerator_of<Kind>(text));
  }
}

}  // namespace rackproof::protocol

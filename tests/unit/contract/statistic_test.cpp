#include "contract/statistic.hpp"

#include <catch2/catch.hpp>

namespace rackproof::contract {

TEST_CASE("a record carries every statistic but the one that the judge alone works out") {
  for (const auto& entry : words_of(Statistic{})) {
    CHECK(is_of_records(entry.value) == (entry.text != "p05"));
  }
}

}  // namespace rackproof::contract

#pragma once

#include <catch2/catch.hpp>
#include <cstddef>

#include "contract/words.hpp"

namespace rackproof::contract {

/// Every enumerator, counted from 0, has a word that leads back to it, and no other text does.
template <Enumeration E>
void check_round_trip(std::size_t count) {
  CHECK(words_of(E{}).size() == count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto value = static_cast<E>(i);
    CHECK(word(value) != "unknown");
    CHECK(enumerator_of<E>(word(value)) == value);
  }
  for (const char* text : {"", "More", "more ", "unknown"}) CHECK_FALSE(enumerator_of<E>(text));
}

}  // namespace rackproof::contract

#include "benches/kit/pattern/pattern.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <vector>

using namespace rackproof::kit::pattern;

TEST_CASE("a pattern is the same wherever it is begun") {
  std::vector<std::uint64_t> words(100);
  fill(words.data(), 100, 7);
  for (std::int64_t i = 0; i < 100; ++i) CHECK(words[static_cast<std::size_t>(i)] == word(7, i));
  CHECK(compare(words.data(), 100, 7).wrong == 0);
  CHECK(compare(words.data(), 100, 7).compared == 100);
}

TEST_CASE("the generator is splitmix64") {
  // First outputs of the published generator for the seed 0: its state is a multiple of the same
  // constant, one step ahead.
  CHECK(word(0, 1) == 0xe220a8397b1dcdafULL);
  CHECK(word(0, 2) == 0x6e789e6aa1b965f4ULL);
  CHECK(word(0, 3) == 0x06c45d188009454fULL);
}

TEST_CASE("keys of different numbers have different patterns") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t number = 0; number < 1000; ++number) {
    for (std::int64_t index = 0; index < 4; ++index) seen.insert(word(key_of(1, number), index));
  }
  CHECK(seen.size() == 4000);
}

TEST_CASE("poison is wrong in every word") {
  std::vector<std::uint64_t> words(1000);
  fill(words.data(), 1000, 3, kPoison);
  const Difference found = compare(words.data(), 1000, 3);
  CHECK(found.wrong == 1000);
  CHECK(found.first == 0);
}

TEST_CASE("any single flipped bit is found at its place") {
  std::vector<std::uint64_t> words(33);
  fill(words.data(), 33, 5);
  for (std::size_t index = 0; index < words.size(); ++index) {
    for (int bit = 0; bit < 64; ++bit) {
      words[index] ^= std::uint64_t{1} << bit;
      const Difference found = compare(words.data(), 33, 5);
      REQUIRE(found.wrong == 1);
      REQUIRE(found.first == static_cast<std::int64_t>(index));
      REQUIRE((found.got ^ found.want) == std::uint64_t{1} << bit);
      words[index] ^= std::uint64_t{1} << bit;
    }
  }
}

TEST_CASE("the first of several wrong words is named") {
  std::vector<std::uint64_t> words(64);
  fill(words.data(), 64, 9);
  words[40] = 1;
  words[17] = 2;
  const Difference found = compare(words.data(), 64, 9);
  CHECK(found.wrong == 2);
  CHECK(found.first == 17);
  CHECK(text_of(found.got) == "0x0000000000000002");
  CHECK(text_of(found.want) == text_of(word(9, 17)));
}

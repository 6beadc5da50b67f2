#include "benches/kit/product/result_bits.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

using namespace rackproof::product;

namespace {

using Word = std::array<unsigned char, 16>;

std::uint64_t digest(const std::vector<std::uint64_t>& words) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < words.size(); ++i) sum += digest_term(words[i], i);
  return sum;
}

}  // namespace

TEST_CASE("one flipped bit anywhere in a word is found in its element") {
  Word want{};
  for (std::size_t i = 0; i < want.size(); ++i) want[i] = static_cast<unsigned char>(37 * i + 5);
  for (const int width : {2, 4, 8}) {
    for (int bit = 0; bit < 128; ++bit) {
      Word got = want;
      got[static_cast<std::size_t>(bit / 8)] ^= static_cast<unsigned char>(1U << (bit % 8));
      const WordDifference found = word_difference(got.data(), want.data(), 11, width);
      REQUIRE(found.wrong == 1);
      const std::int64_t element = bit / (8 * width);
      REQUIRE(found.first == 11 * (16 / width) + element);
      REQUIRE((found.got ^ found.want) == std::uint64_t{1} << (bit % (8 * width)));
    }
  }
}

TEST_CASE("every element that differs is counted and the first one told") {
  Word want{};
  Word got{};
  got[3] = 1;
  got[9] = 2;
  got[8] = 3;
  CHECK(word_difference(got.data(), want.data(), 0, 2).wrong == 2);
  CHECK(word_difference(got.data(), want.data(), 0, 2).first == 1);
  CHECK(word_difference(got.data(), want.data(), 0, 2).got == 0x100);
  CHECK(word_difference(got.data(), want.data(), 0, 8).wrong == 2);
  CHECK(word_difference(want.data(), want.data(), 0, 4).wrong == 0);
}

TEST_CASE("a digest sees one flipped bit anywhere and words that change places") {
  std::vector<std::uint64_t> words;
  for (std::uint64_t i = 0; i < 40; ++i) words.push_back(mix(1, i));
  const std::uint64_t before = digest(words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (unsigned bit = 0; bit < 64; ++bit) {
      std::vector<std::uint64_t> changed = words;
      changed[i] ^= std::uint64_t{1} << bit;
      REQUIRE(digest(changed) != before);
    }
  }
  std::swap(words[3], words[17]);
  CHECK(digest(words) != before);
  CHECK(digest({0, 0}) != digest({0, 0, 0}));
}

#include "benches/align/alphabet.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::align;

TEST_CASE(
    "letters of an alphabet are residues by their place, and the last one is the unknown one") {
  for (const Alphabet alphabet : {Alphabet::kProtein, Alphabet::kDna}) {
    const auto letters = letters_of(alphabet);
    for (std::size_t i = 0; i < letters.size(); ++i) CHECK(residue_of(alphabet, letters[i]) == i);
    CHECK(unknown_of(alphabet) == letters.size() - 1);
  }
  CHECK(letters_of(Alphabet::kProtein).size() == 21);
  CHECK(letters_of(Alphabet::kDna).size() == 5);
}

TEST_CASE("letters for one of several residues are the unknown one, and other bytes none") {
  for (const char letter : {'B', 'J', 'O', 'U', 'Z'}) {
    CHECK(residue_of(Alphabet::kProtein, letter) == unknown_of(Alphabet::kProtein));
  }
  for (const char letter : {'R', 'Y', 'K', 'V'}) {
    CHECK(residue_of(Alphabet::kDna, letter) == unknown_of(Alphabet::kDna));
  }
  for (const char letter : {'a', '*', '-', ' ', '1', '\0', '\xff'}) {
    CHECK_FALSE(residue_of(Alphabet::kProtein, letter));
    CHECK_FALSE(residue_of(Alphabet::kDna, letter));
  }
  CHECK_FALSE(residue_of(Alphabet::kDna, 'L'));
}

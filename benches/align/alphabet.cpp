#include "benches/align/alphabet.hpp"

namespace rackproof::align {

std::string_view letters_of(Alphabet alphabet) {
  return alphabet == Alphabet::kProtein ? "ARNDCQEGHILKMFPSTWYVX" : "ACGTN";
}

Residue unknown_of(Alphabet alphabet) {
  return static_cast<Residue>(letters_of(alphabet).size() - 1);
}

std::string_view name_of(Alphabet alphabet) {
  return alphabet == Alphabet::kProtein ? "protein" : "dna";
}

std::optional<Residue> residue_of(Alphabet alphabet, char letter) {
  const std::size_t place = letters_of(alphabet).find(letter);
  if (place != std::string_view::npos) return static_cast<Residue>(place);
  const std::string_view ambiguous = alphabet == Alphabet::kProtein ? "BJOUZ" : "BDHKMRSVWY";
  if (ambiguous.find(letter) != std::string_view::npos) return unknown_of(alphabet);
  return std::nullopt;
}

}  // namespace rackproof::align

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace rackproof::align {

/// One letter of a sequence: its place in the alphabet.
using Residue = std::uint8_t;

enum class Alphabet { kProtein, kDna };

/// The 20 amino acids in the order of NCBI's matrices and X, or the four bases and N.
std::string_view letters_of(Alphabet alphabet);

/// The last letter of the alphabet, X or N: it may be any of the others.
Residue unknown_of(Alphabet alphabet);

/// "protein" or "dna".
std::string_view name_of(Alphabet alphabet);

/// The residue of an upper-case letter. Letters by which IUPAC writes that several residues are
/// possible, and the rare amino acids U and O, are the unknown one; nothing for any other byte.
std::optional<Residue> residue_of(Alphabet alphabet, char letter);

}  // namespace rackproof::align

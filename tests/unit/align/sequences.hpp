#pragma once

#include <string_view>
#include <vector>

#include "benches/align/draw.hpp"
#include "benches/align/sequences.hpp"

namespace rackproof::align {

/// A sequence as its letters write it.
inline std::vector<Residue> residues(std::string_view letters,
                                     Alphabet alphabet = Alphabet::kProtein) {
  std::vector<Residue> all;
  for (const char letter : letters) all.push_back(residue_of(alphabet, letter).value());
  return all;
}

/// A drawn one.
inline std::vector<Residue> drawn(Draw& draw, std::int64_t length,
                                  Alphabet alphabet = Alphabet::kProtein) {
  std::vector<Residue> all(static_cast<std::size_t>(length));
  Composition(alphabet, true).fill(draw, all.data(), length);
  return all;
}

}  // namespace rackproof::align

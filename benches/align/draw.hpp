#pragma once

#include <cstdint>
#include <vector>

#include "benches/align/alphabet.hpp"
#include "benches/kit/pattern/pattern.hpp"

namespace rackproof::align {

/// Random words, the same on every machine and for every library.
class Draw {
 public:
  explicit Draw(std::uint64_t key) : key_(key) {}

  std::uint64_t word() { return kit::pattern::word(key_, next_++); }
  /// An integer from 0 to `count` - 1.
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(word() % static_cast<std::uint64_t>(count));
  }

 private:
  std::uint64_t key_;
  std::int64_t next_ = 0;
};

/// A length as those of proteins: log-normal but for the tails beyond 4 standard deviations, with a
/// median of 294 and a mean of 360 residues. Integers alone, so that no library decides what is
/// drawn.
std::int64_t draw_length(Draw& draw);

/// Residues as often as they are: amino acids by the frequencies of Robinson and Robinson (1991),
/// bases each a fourth.
class Composition {
 public:
  /// One residue in about 2000 is the unknown one, where `with_unknown` says so.
  Composition(Alphabet alphabet, bool with_unknown);

  Residue residue(std::uint16_t word) const { return by_word_[word]; }
  Residue residue(Draw& draw) const { return residue(static_cast<std::uint16_t>(draw.word())); }
  /// Draws `count` of them.
  void fill(Draw& draw, Residue* to, std::int64_t count) const;

 private:
  std::vector<Residue> by_word_;
};

}  // namespace rackproof::align

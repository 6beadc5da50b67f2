#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benches/align/alphabet.hpp"

namespace rackproof::align {

/// What the longest sequence of each kind may have.
inline constexpr std::int64_t kMostQueryResidues = std::int64_t{1} << 16;
inline constexpr std::int64_t kMostSubjectResidues = std::int64_t{1} << 20;

/// Sequences one behind the other in one array.
struct Sequences {
  std::vector<Residue> residues;
  std::vector<std::int64_t> offsets = {0};  ///< where each begins, and behind the last one
  std::vector<std::string> names;           ///< as many as sequences, or none

  std::int64_t size() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
  std::int64_t total() const { return offsets.back(); }
  std::int64_t length(std::int64_t which) const {
    const auto at = static_cast<std::size_t>(which);
    return offsets[at + 1] - offsets[at];
  }
  std::int64_t longest() const;
  std::span<const Residue> at(std::int64_t which) const {
    return {residues.data() + offsets[static_cast<std::size_t>(which)],
            static_cast<std::size_t>(length(which))};
  }
  /// Its name, else its number from 0.
  std::string name(std::int64_t which) const;
  /// As letters.
  std::string text(std::int64_t which, Alphabet alphabet) const;

  /// Puts one more at the end.
  void add(std::span<const Residue> sequence);
  void add(std::span<const Residue> sequence, std::string name);
};

/// Turns each sequence round where it lies. Twice gives back what was.
void reverse_each(Sequences& sequences);

}  // namespace rackproof::align

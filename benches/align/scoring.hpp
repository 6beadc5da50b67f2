#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "benches/align/alphabet.hpp"

namespace rackproof::align {

/// Entries of a row of the table of scores, more than any alphabet has letters.
inline constexpr int kRow = 32;
/// The residue of no letter, for places behind the end of a sequence: it scores the least there is.
inline constexpr Residue kPadding = kRow - 1;
inline constexpr std::int8_t kPaddingScore = -128;

/// What each pair of letters is worth, from -127 to 127, the same for both orders.
struct Matrix {
  std::string name;
  Alphabet alphabet = Alphabet::kProtein;
  /// Of residues a and b at a * kRow + b; kPaddingScore where one of them is no letter.
  std::array<std::int8_t, kRow * kRow> scores{};

  int score(Residue a, Residue b) const { return scores[std::size_t{a} * std::size_t{kRow} + b]; }
  void set(Residue a, Residue b, int score);
};

/// A matrix in which nothing is a letter yet.
Matrix empty_matrix(std::string name, Alphabet alphabet);

/// The matrices that need no file, for proteins.
std::vector<std::string> matrix_names();
/// One of them, as NCBI publishes it. Throws UsageError for another name.
Matrix matrix_named(std::string_view name);

/// `match` for two equal bases, `mismatch` for any others; N matches nothing.
Matrix dna_matrix(int match, int mismatch);

/// What a gap costs, as BLAST says it: `existence` once and `extension` for each of its residues.
/// Other programs speak of what the first residue costs ("open", existence + extension here) and
/// each further one.
struct Gap {
  int existence = 11;
  int extension = 1;

  int first() const { return existence + extension; }
  int next() const { return extension; }
  bool operator==(const Gap&) const = default;
};

inline constexpr int kMostGap = 1000;

/// Reads "11,1". Throws UsageError unless both are from 1 to kMostGap.
Gap parse_gap(std::string_view text);

struct Scoring {
  Matrix matrix;
  Gap gap;
};

/// What a sequence scores against any sequence that it is a part of: the sum of its residues
/// against themselves. Nothing where another alignment could score more, since a residue is worth
/// more against another one, or nothing against itself.
std::optional<std::int32_t> score_of_copy(const Matrix& matrix, std::span<const Residue> sequence);

}  // namespace rackproof::align

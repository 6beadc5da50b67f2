#include "benches/align/scoring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "benches/kit/errors.hpp"

namespace rackproof::align {
namespace {

std::optional<int> cost(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (value < 1 || value > kMostGap) return std::nullopt;
  return value;
}

}  // namespace

void Matrix::set(Residue a, Residue b, int score) {
  scores[std::size_t{a} * std::size_t{kRow} + b] = static_cast<std::int8_t>(score);
}

Matrix empty_matrix(std::string name, Alphabet alphabet) {
  Matrix matrix;
  matrix.name = std::move(name);
  matrix.alphabet = alphabet;
  matrix.scores.fill(kPaddingScore);
  return matrix;
}

Matrix dna_matrix(int match, int mismatch) {
  Matrix matrix = empty_matrix(fmt::format("{},{}", match, mismatch), Alphabet::kDna);
  const Residue unknown = unknown_of(Alphabet::kDna);
  for (Residue a = 0; a <= unknown; ++a) {
    for (Residue b = 0; b <= unknown; ++b) {
      matrix.set(a, b, a == b && a != unknown ? match : mismatch);
    }
  }
  return matrix;
}

Gap parse_gap(std::string_view text) {
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    const auto existence = cost(text.substr(0, comma));
    const auto extension = cost(text.substr(comma + 1));
    if (existence && extension) return {*existence, *extension};
  }
  throw kit::UsageError(fmt::format(
      "--gap {}: expected EXISTENCE,EXTENSION as BLAST has it, each from 1 to {}, such as 11,1",
      text.substr(0, 80), kMostGap));
}

std::optional<std::int32_t> score_of_copy(const Matrix& matrix, std::span<const Residue> sequence) {
  const auto letters = static_cast<Residue>(letters_of(matrix.alphabet).size());
  std::int32_t sum = 0;
  for (const Residue residue : sequence) {
    const int own = matrix.score(residue, residue);
    if (own < 1) return std::nullopt;
    for (Residue other = 0; other < letters; ++other) {
      if (matrix.score(residue, other) > own) return std::nullopt;
    }
    sum += own;
  }
  return sum;
}

}  // namespace rackproof::align

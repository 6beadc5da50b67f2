#include "benches/align/reference.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "tests/unit/align/sequences.hpp"

using namespace rackproof::align;

namespace {

// Waterman, Smith and Beyer's recurrence: each gap of each length by itself, in cubic time.
int slow_score(const Scoring& scoring, const std::vector<Residue>& a,
               const std::vector<Residue>& b) {
  const auto cost = [&](std::size_t k) {
    return scoring.gap.existence + static_cast<int>(k) * scoring.gap.extension;
  };
  std::vector<std::vector<int>> best(a.size() + 1, std::vector<int>(b.size() + 1, 0));
  int top = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      int cell = std::max(0, best[i - 1][j - 1] + scoring.matrix.score(a[i - 1], b[j - 1]));
      for (std::size_t k = 1; k <= i; ++k) cell = std::max(cell, best[i - k][j] - cost(k));
      for (std::size_t k = 1; k <= j; ++k) cell = std::max(cell, best[i][j - k] - cost(k));
      best[i][j] = cell;
      top = std::max(top, cell);
    }
  }
  return top;
}

}  // namespace

TEST_CASE("alignments by hand: a match, a gap of each kind, and nothing at all") {
  const Scoring scoring{matrix_named("BLOSUM62"), {11, 1}};
  CHECK(reference_score(scoring, residues("WWWWWW"), residues("WWWWWW")) == 66);
  // Six times 11, less 11 + 2 for two residues left out.
  CHECK(reference_score(scoring, residues("WWWWWW"), residues("WWWAAWWW")) == 53);
  CHECK(reference_score(scoring, residues("WWWAAWWW"), residues("WWWWWW")) == 53);
  CHECK(reference_score(scoring, residues("W"), residues("A")) == 0);
}

TEST_CASE("the reference gives what a slower recurrence without Gotoh's steps gives") {
  Draw draw(5);
  for (const Alphabet alphabet : {Alphabet::kProtein, Alphabet::kDna}) {
    for (const Gap gap : {Gap{11, 1}, Gap{1, 1}, Gap{2, 3}}) {
      const Scoring scoring{
          alphabet == Alphabet::kDna ? dna_matrix(2, -3) : matrix_named("BLOSUM62"), gap};
      for (int i = 0; i < 20; ++i) {
        const auto a = drawn(draw, 1 + draw.below(40), alphabet);
        const auto b = drawn(draw, 1 + draw.below(40), alphabet);
        CHECK(reference_score(scoring, a, b) == slow_score(scoring, a, b));
      }
    }
  }
}

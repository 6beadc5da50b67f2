#include "benches/align/scoring.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/unit/align/sequences.hpp"

using namespace rackproof;
using namespace rackproof::align;

TEST_CASE("a gap costs what BLAST's words for it say") {
  const Gap gap = parse_gap("11,1");
  CHECK(gap.first() == 12);
  CHECK(gap.next() == 1);
  for (const char* bad : {"", "11", "11,", ",1", "11,0", "0,1", "-1,1", "11,-1", "11,1,1", "a,b",
                          "11, 1", "1001,1", "99999999999,1"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_gap(bad), kit::UsageError);
  }
}

TEST_CASE("each matrix that is named is symmetric, and a residue is worth most against itself") {
  for (const std::string& name : matrix_names()) {
    CAPTURE(name);
    const Matrix matrix = matrix_named(name);
    CHECK(matrix.name == name);
    for (Residue a = 0; a < 21; ++a) {
      for (Residue b = 0; b < 21; ++b) {
        CHECK(matrix.score(a, b) == matrix.score(b, a));
        if (a < 20) CHECK(matrix.score(a, a) >= matrix.score(a, b));
      }
      CHECK(matrix.score(a, kPadding) == kPaddingScore);
    }
  }
  CHECK_THROWS_AS(matrix_named("BLOSUM63"), kit::UsageError);
}

TEST_CASE("BLOSUM62 has the scores that everybody knows") {
  const Matrix matrix = matrix_named("BLOSUM62");
  const auto score = [&](char a, char b) {
    return matrix.score(*residue_of(Alphabet::kProtein, a), *residue_of(Alphabet::kProtein, b));
  };
  CHECK(score('W', 'W') == 11);
  CHECK(score('C', 'C') == 9);
  CHECK(score('L', 'I') == 2);
  CHECK(score('D', 'L') == -4);
  CHECK(score('E', 'Z') == -1);
}

TEST_CASE(
    "BLOSUM80 counts in halves of a bit, and X is worth the same in every matrix, as in blastp") {
  const Matrix matrix = matrix_named("BLOSUM80");
  constexpr int kOwn[] = {5, 6, 6, 6, 9, 6, 6, 6, 8, 5, 4, 5, 6, 6, 8, 5, 5, 11, 7, 4};
  for (Residue a = 0; a < 20; ++a) CHECK(matrix.score(a, a) == kOwn[a]);
  for (const std::string& name : matrix_names()) {
    for (Residue a = 0; a < 21; ++a) CHECK(matrix_named(name).score(20, a) == -1);
  }
}

TEST_CASE("equal bases match, and N matches nothing") {
  const Matrix matrix = dna_matrix(2, -3);
  CHECK(matrix.score(0, 0) == 2);
  CHECK(matrix.score(0, 3) == -3);
  CHECK(matrix.score(4, 4) == -3);
  CHECK(matrix.name == "2,-3");
}

TEST_CASE("a copy scores the sum of its residues where nothing else can score more") {
  const Matrix matrix = matrix_named("BLOSUM62");
  CHECK(score_of_copy(matrix, residues("WCL")) == 24);
  CHECK_FALSE(score_of_copy(matrix, residues("WXL")));
  Matrix odd = matrix;
  const Residue leucine = residues("L")[0];
  const Residue isoleucine = residues("I")[0];
  odd.set(leucine, isoleucine, 5);
  odd.set(isoleucine, leucine, 5);
  CHECK_FALSE(score_of_copy(odd, residues("WCL")));
}

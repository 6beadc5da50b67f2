#include "benches/align/matrix_file.hpp"

#include <catch2/catch.hpp>
#include <sstream>

#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

Matrix matrix_of(const std::string& text) {
  std::istringstream in(text);
  return read_matrix(in, "files/NUC", Alphabet::kDna);
}

std::string complaint_of_matrix(const std::string& text) {
  try {
    matrix_of(text);
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

const std::string kWhole =
    "# a comment\n   A  C  G  T\nA  5 -4 -4 -4\nC -4 5 -4 -4\nG -4 -4 5 -4\n";

}  // namespace

TEST_CASE(
    "a matrix is read with letters that are no residues, and scores the least for a letter it "
    "lacks") {
  const Matrix matrix = matrix_of(
      "A C G T S\nA 5 -4 -4 -4 1\nC -4 5 -4 -4 1\nG -4 -4 5 -4 1\nT -4 -4 -4 6 -9\nS 1 1 1 -9 1\n");
  CHECK(matrix.name == "NUC");
  CHECK(matrix.score(0, 0) == 5);
  CHECK(matrix.score(3, 3) == 6);
  CHECK(matrix.score(0, 2) == -4);
  CHECK(matrix.score(4, 0) == -4);
  CHECK(matrix.score(4, 4) == -4);
  CHECK(matrix.score(0, kPadding) == kPaddingScore);
}

TEST_CASE("each thing that no matrix has is told with file, line and what was expected") {
  CHECK(complaint_of_matrix("# nothing\n") ==
        "files/NUC:1: there is no matrix: expected a line of letters");
  CHECK(complaint_of_matrix("A C G\n") ==
        "files/NUC:1: there is no column for 'T': expected one for each of ACGTN");
  CHECK(complaint_of_matrix("A C G T A\n") ==
        "files/NUC:1: 'A' a second time: expected each letter once");
  CHECK(complaint_of_matrix("A C G t\n") == "files/NUC:1: 't': expected an upper-case letter");
  CHECK(complaint_of_matrix("A C G T\nA 1 2 3\n") ==
        "files/NUC:2: 3 entries: expected a square matrix: 4, one for each column");
  CHECK(complaint_of_matrix("A C G T\nX 1 2 3 4\n") ==
        "files/NUC:2: a row for 'X', which has no column: expected a square matrix");
  CHECK(complaint_of_matrix(kWhole + "A 1 1 1 1\n") ==
        "files/NUC:6: 'A' a second time: expected each letter once");
  CHECK(complaint_of_matrix(kWhole) ==
        "files/NUC:5: there is no row for 'T': expected a square matrix");
  CHECK(complaint_of_matrix(kWhole + "T -4 -4 -3 5\n") ==
        "files/NUC:6: -3 of T and G, and -4 of G and T: expected a symmetric matrix");
  CHECK(complaint_of_matrix("A C G T\nA 1 2 3 128\n") ==
        "files/NUC:2: '128': expected an integer from -127 to 127");
  CHECK(complaint_of_matrix("A C G T\nA 1 2 3 4.5\n") ==
        "files/NUC:2: '4.5': expected an integer from -127 to 127");
}

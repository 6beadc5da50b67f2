#pragma once

#include <istream>
#include <string>

#include "benches/align/scoring.hpp"

namespace rackproof::align {

/// A matrix as NCBI writes it: lines that begin with # are passed over, then a line of letters and
/// for each of them a line with the letter and as many integers. Letters that are no residues (B,
/// Z, *) are passed over; X or N, where it is not there, scores the least of all. Throws UsageError
/// with file, line and what was expected where a letter is missing or there twice, rows and columns
/// are not the same, it is not symmetric, or an entry is not an integer from -127 to 127.
Matrix read_matrix(std::istream& in, const std::string& file, Alphabet alphabet);

/// The same from a file.
Matrix read_matrix_file(const std::string& path, Alphabet alphabet);

}  // namespace rackproof::align

#pragma once

#include <cstdint>
#include <istream>
#include <string>

#include "benches/align/sequences.hpp"

namespace rackproof::align {

/// Sequences of a FASTA file: lines of upper-case letters, before each sequence a line ">NAME ..."
/// (the first word is its name). Throws UsageError with file, line and what was expected for
/// anything else: no sequence, one without a name, without residues, with more than
/// `most_residues`, or with the name of another; lower-case letters, by which many tools mean
/// residues to be passed over; letters of no residue; what is no text.
Sequences read_fasta(std::istream& in, const std::string& file, Alphabet alphabet,
                     std::int64_t most_residues);

/// The same from a file. Throws Unavailable where it is larger than `available_bytes`.
Sequences read_fasta_file(const std::string& path, Alphabet alphabet, std::int64_t most_residues,
                          std::int64_t available_bytes);

}  // namespace rackproof::align

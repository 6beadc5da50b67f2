#include "benches/align/fasta.hpp"

#include <unistd.h>
#include <catch2/catch.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "benches/kit/errors.hpp"

using namespace rackproof;
using namespace rackproof::align;

namespace {

Sequences sequences_of(const std::string& text, Alphabet alphabet = Alphabet::kProtein) {
  std::istringstream in(text);
  return read_fasta(in, "db.fasta", alphabet, 100);
}

std::string complaint_of_fasta(const std::string& text, Alphabet alphabet = Alphabet::kProtein) {
  try {
    sequences_of(text, alphabet);
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("sequences are read with their names, over several lines, without blank ones") {
  const Sequences all = sequences_of(">sp|P1 first protein\nARND\nCQ\n\n>b\r\nWU\r\n");
  REQUIRE(all.size() == 2);
  CHECK(all.names == std::vector<std::string>{"sp|P1", "b"});
  CHECK(all.text(0, Alphabet::kProtein) == "ARNDCQ");
  CHECK(all.text(1, Alphabet::kProtein) == "WX");
  CHECK(sequences_of(">d\nACGTRN", Alphabet::kDna).text(0, Alphabet::kDna) == "ACGTNN");
}

TEST_CASE("each thing that no FASTA file has is told with file, line and what was expected") {
  CHECK(complaint_of_fasta("") ==
        "db.fasta: the file is empty: expected \">NAME\" and below it a sequence");
  CHECK(complaint_of_fasta("\n\n") ==
        "db.fasta:2: there is no sequence: expected \">NAME\" and below it a sequence");
  CHECK(complaint_of_fasta("ARND\n>a\nAR\n") ==
        "db.fasta:1: 'ARND' before the first sequence: expected \">NAME\"");
  CHECK(complaint_of_fasta(">a\n>b\nAR\n") ==
        "db.fasta:1: the sequence 'a' has no residues: expected at least one");
  CHECK(complaint_of_fasta(">a\nAR\n>b\n") ==
        "db.fasta:3: the sequence 'b' has no residues: expected at least one");
  CHECK(complaint_of_fasta(">\nAR\n") ==
        "db.fasta:1: a sequence without a name: expected \">NAME\"");
  CHECK(complaint_of_fasta("> a\nAR\n") ==
        "db.fasta:1: a sequence without a name: expected \">NAME\"");
  CHECK(complaint_of_fasta(">a\nAR\n>b\nAR\n>a x\nAR\n") ==
        "db.fasta:5: a second sequence of the name 'a', which line 1 has: expected each name once");
  CHECK(complaint_of_fasta(">a\nAr\n") ==
        "db.fasta:2: the lower-case letter 'r': expected upper-case ones: lower case often means "
        "residues to be "
        "passed over, and none is here");
  CHECK(complaint_of_fasta(">a\nA*\n") ==
        "db.fasta:2: '*': expected the letters ARNDCQEGHILKMFPSTWYVX of protein sequences and "
        "those for several "
        "of them");
  CHECK(
      complaint_of_fasta(">a\nAL\n", Alphabet::kDna) ==
      "db.fasta:2: 'L': expected the letters ACGTN of dna sequences and those for several of them");
  CHECK(complaint_of_fasta(">a\nA\xc3\n").starts_with("db.fasta:2: 0xc3: expected the letters"));
  CHECK(complaint_of_fasta(">a\n" + std::string(101, 'A')) ==
        "db.fasta:2: the sequence 'a' has more than 100 residues: expected shorter ones");
  CHECK(complaint_of_fasta(std::string(">a\nA\0R\n", 7)) ==
        "db.fasta:2: the byte 0x00: expected text");
}

TEST_CASE("a file that is not there, is a folder or is larger than memory is refused") {
  const auto read_file = [](const std::string& path, std::int64_t available) {
    return read_fasta_file(path, Alphabet::kProtein, 100, available);
  };
  const std::filesystem::path folder = std::filesystem::temp_directory_path();
  CHECK_THROWS_AS(read_file((folder / "no-such-file.fasta").string(), 1000), kit::UsageError);
  CHECK_THROWS_AS(read_file(folder.string(), 1000), kit::UsageError);
  const std::string path = (folder / ("align-fasta-" + std::to_string(getpid()))).string();
  std::ofstream(path) << ">a\nARND\n";
  CHECK_THROWS_AS(read_file(path, 7), kit::Unavailable);
  CHECK(read_file(path, 8).total() == 4);
  std::remove(path.c_str());
}

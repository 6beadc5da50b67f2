#include <algorithm>
#include <set>
#include <sstream>
#include <string>

#include "benches/align/fasta.hpp"
#include "benches/kit/errors.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

constexpr std::int64_t kMostResidues = 5000;

void read(const std::string& text, align::Alphabet alphabet) {
  std::istringstream in(text);
  const auto letters = static_cast<align::Residue>(align::letters_of(alphabet).size());
  try {
    const align::Sequences found = align::read_fasta(in, "x.fa", alphabet, kMostResidues);
    fuzz::expect(found.size() > 0, "a sequence");
    fuzz::expect(found.total() == static_cast<std::int64_t>(found.residues.size()), "all of it");
    fuzz::expect(found.names.size() == static_cast<std::size_t>(found.size()), "a name each");
    fuzz::expect(
        std::set<std::string>(found.names.begin(), found.names.end()).size() == found.names.size(),
        "no name twice");
    for (std::int64_t i = 0; i < found.size(); ++i) {
      fuzz::expect(found.length(i) > 0 && found.length(i) <= kMostResidues, "residues in bounds");
      fuzz::expect(!found.name(i).empty(), "no empty name");
    }
    fuzz::expect(std::all_of(found.residues.begin(), found.residues.end(),
                             [&](align::Residue one) { return one < letters; }),
                 "letters of the alphabet");
  } catch (const kit::UsageError& refused) {
    fuzz::expect(std::string_view(refused.what()).starts_with("x.fa"), "the file is named");
  }
}

}  // namespace

// A FASTA file is sequences of one alphabet, each with a name of its own, or it is refused by name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  read(text, align::Alphabet::kProtein);
  read(text, align::Alphabet::kDna);
  return 0;
}

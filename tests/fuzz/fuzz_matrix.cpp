#include <sstream>
#include <string>

#include "benches/align/matrix_file.hpp"
#include "benches/kit/errors.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

void read(const std::string& text, align::Alphabet alphabet) {
  std::istringstream in(text);
  const auto letters = static_cast<align::Residue>(align::letters_of(alphabet).size());
  try {
    const align::Matrix found = align::read_matrix(in, "x.mat", alphabet);
    fuzz::expect(found.alphabet == alphabet, "the alphabet that was asked for");
    for (align::Residue a = 0; a < align::kRow; ++a) {
      for (align::Residue b = 0; b < align::kRow; ++b) {
        const int score = found.score(a, b);
        fuzz::expect(score == found.score(b, a), "symmetric");
        const bool both = a < letters && b < letters;
        fuzz::expect(both == (score != align::kPaddingScore), "an entry for letters, and no other");
      }
    }
  } catch (const kit::UsageError& refused) {
    fuzz::expect(std::string_view(refused.what()).starts_with("x.mat"), "the file is named");
  }
}

}  // namespace

// A matrix is symmetric and has an entry for each two letters, or the file is refused by name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(fuzz::text_of(data, size));
  read(text, align::Alphabet::kProtein);
  read(text, align::Alphabet::kDna);
  return 0;
}

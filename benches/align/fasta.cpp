#include "benches/align/fasta.hpp"

#include <fmt/format.h>

#include <array>
#include <unordered_map>
#include <utility>

#include "benches/align/bad_input.hpp"
#include "benches/align/input_file.hpp"
#include "benches/align/lines.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::align {
namespace {

constexpr Residue kNone = 0xff;

class Reader {
 public:
  Reader(std::istream& in, const std::string& file, Alphabet alphabet, std::int64_t most_residues)
      : lines_(in, file), alphabet_(alphabet), most_(most_residues) {
    for (std::size_t byte = 0; byte < codes_.size(); ++byte) {
      codes_[byte] = residue_of(alphabet, static_cast<char>(byte)).value_or(kNone);
    }
  }

  // `room` is how many residues there may be: an array that grew would take twice as much for a
  // while.
  Sequences all(std::int64_t room) {
    found_.residues.reserve(static_cast<std::size_t>(room));
    std::string line;
    while (lines_.next(line)) {
      if (line.starts_with('>')) {
        begin(line);
      } else if (!line.empty()) {
        residues(line);
      }
    }
    if (found_.names.empty()) {
      lines_.refuse(lines_.number() == 0 ? "the file is empty" : "there is no sequence",
                    "\">NAME\" and below it a sequence");
    }
    end();
    return std::move(found_);
  }

 private:
  void begin(const std::string& line) {
    if (!found_.names.empty()) end();
    header_ = lines_.number();
    const std::string name = line.substr(1, line.find_first_of(" \t") - 1);
    if (name.empty()) lines_.refuse("a sequence without a name", "\">NAME\"");
    const auto [known, added] = first_seen_.emplace(name, header_);
    if (!added) {
      lines_.refuse(fmt::format("a second sequence of the name {}, which line {} has", shown(name),
                                known->second),
                    "each name once");
    }
    found_.names.push_back(name);
  }

  void residues(const std::string& line) {
    if (found_.names.empty()) {
      lines_.refuse(fmt::format("{} before the first sequence", shown(line)), "\">NAME\"");
    }
    for (const char letter : line) {
      const Residue residue = codes_[static_cast<unsigned char>(letter)];
      if (residue == kNone) refuse(letter);
      found_.residues.push_back(residue);
    }
    if (length() > most_) {
      lines_.refuse(fmt::format("the sequence {} has more than {} residues",
                                shown(found_.names.back()), most_),
                    "shorter ones");
    }
  }

  void end() {
    if (length() == 0) {
      bad_input(lines_.file(), header_,
                fmt::format("the sequence {} has no residues", shown(found_.names.back())),
                "at least one");
    }
    found_.offsets.push_back(static_cast<std::int64_t>(found_.residues.size()));
  }

  std::int64_t length() const {
    return static_cast<std::int64_t>(found_.residues.size()) - found_.offsets.back();
  }

  [[noreturn]] void refuse(char letter) const {
    if (letter >= 'a' && letter <= 'z') {
      lines_.refuse(
          fmt::format("the lower-case letter {}", shown(letter)),
          "upper-case ones: lower case often means residues to be passed over, and none is here");
    }
    lines_.refuse(shown(letter),
                  fmt::format("the letters {} of {} sequences and those for several of them",
                              letters_of(alphabet_), name_of(alphabet_)));
  }

  Lines lines_;
  Alphabet alphabet_;
  std::int64_t most_;
  std::array<Residue, 256> codes_{};
  Sequences found_;
  std::int64_t header_ = 0;
  std::unordered_map<std::string, std::int64_t> first_seen_;
};

}  // namespace

Sequences read_fasta(std::istream& in, const std::string& file, Alphabet alphabet,
                     std::int64_t most_residues) {
  return Reader(in, file, alphabet, most_residues).all(0);
}

Sequences read_fasta_file(const std::string& path, Alphabet alphabet, std::int64_t most_residues,
                          std::int64_t available_bytes) {
  InputFile file(path);
  if (file.bytes > available_bytes) {
    throw kit::Unavailable(fmt::format("{}: {} bytes, and {} bytes of memory are available", path,
                                       file.bytes, available_bytes));
  }
  return Reader(file.in, path, alphabet, most_residues).all(file.bytes);
}

}  // namespace rackproof::align

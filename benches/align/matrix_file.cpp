#include "benches/align/matrix_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "benches/align/bad_input.hpp"
#include "benches/align/input_file.hpp"
#include "benches/align/lines.hpp"

namespace rackproof::align {
namespace {

constexpr int kMostScore = 127;

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

class MatrixReader {
 public:
  MatrixReader(std::istream& in, const std::string& file, Alphabet alphabet)
      : lines_(in, file), alphabet_(alphabet) {}

  Matrix all() {
    std::string line;
    while (lines_.next(line)) {
      const std::vector<std::string_view> words = words_of(line);
      if (words.empty() || words[0].starts_with('#')) continue;
      if (columns_.empty()) {
        head(words);
      } else {
        row(words);
      }
    }
    if (columns_.empty()) lines_.refuse("there is no matrix", "a line of letters");
    demand_square();
    return matrix();
  }

 private:
  void head(const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) columns_ += letter(word, columns_);
    for (const char wanted : letters_of(alphabet_)) {
      if (wanted == letters_of(alphabet_).back() || columns_.find(wanted) != std::string::npos)
        continue;
      lines_.refuse(fmt::format("there is no column for {}", shown(wanted)),
                    fmt::format("one for each of {}", letters_of(alphabet_)));
    }
  }

  void row(const std::vector<std::string_view>& words) {
    const char name = letter(words[0], rows_);
    if (columns_.find(name) == std::string::npos) {
      lines_.refuse(fmt::format("a row for {}, which has no column", shown(name)),
                    "a square matrix");
    }
    if (words.size() != columns_.size() + 1) {
      lines_.refuse(fmt::format("{} entries", words.size() - 1),
                    fmt::format("a square matrix: {}, one for each column", columns_.size()));
    }
    rows_ += name;
    std::vector<int> entries;
    for (std::size_t i = 1; i < words.size(); ++i) entries.push_back(entry(words[i]));
    demand_symmetric(entries);
    entries_.push_back(std::move(entries));
  }

  char letter(std::string_view word, const std::string& known) const {
    const bool upper = word.size() == 1 && ((word[0] >= 'A' && word[0] <= 'Z') || word[0] == '*');
    if (!upper) lines_.refuse(shown(word), "an upper-case letter");
    if (known.find(word[0]) != std::string::npos) {
      lines_.refuse(fmt::format("{} a second time", shown(word[0])), "each letter once");
    }
    return word[0];
  }

  int entry(std::string_view word) const {
    int value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size() || value < -kMostScore ||
        value > kMostScore) {
      lines_.refuse(shown(word), fmt::format("an integer from {} to {}", -kMostScore, kMostScore));
    }
    return value;
  }

  // The newest row against the rows above it.
  void demand_symmetric(const std::vector<int>& entries) const {
    const std::size_t own = columns_.find(rows_.back());
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const int there = entries_[i][own];
      const int here = entries[columns_.find(rows_[i])];
      if (there == here) continue;
      lines_.refuse(fmt::format("{} of {} and {}, and {} of {} and {}", here, rows_.back(),
                                rows_[i], there, rows_[i], rows_.back()),
                    "a symmetric matrix");
    }
  }

  void demand_square() const {
    for (const char column : columns_) {
      if (rows_.find(column) != std::string::npos) continue;
      lines_.refuse(fmt::format("there is no row for {}", shown(column)), "a square matrix");
    }
  }

  std::optional<int> found(char a, char b) const {
    const std::size_t row = rows_.find(a);
    const std::size_t column = columns_.find(b);
    if (row == std::string::npos || column == std::string::npos) return std::nullopt;
    return entries_[row][column];
  }

  Matrix matrix() const {
    Matrix made = empty_matrix(std::filesystem::path(lines_.file()).filename().string(), alphabet_);
    const std::string_view letters = letters_of(alphabet_);
    int least = kMostScore;
    for (const char a : letters) {
      for (const char b : letters) least = std::min(least, found(a, b).value_or(kMostScore));
    }
    const auto count = static_cast<Residue>(letters.size());
    for (Residue a = 0; a < count; ++a) {
      for (Residue b = 0; b < count; ++b) {
        made.set(a, b, found(letters[a], letters[b]).value_or(least));
      }
    }
    return made;
  }

  Lines lines_;
  Alphabet alphabet_;
  std::string columns_;
  std::string rows_;
  std::vector<std::vector<int>> entries_;
};

}  // namespace

Matrix read_matrix(std::istream& in, const std::string& file, Alphabet alphabet) {
  return MatrixReader(in, file, alphabet).all();
}

Matrix read_matrix_file(const std::string& path, Alphabet alphabet) {
  InputFile file(path);
  return read_matrix(file.in, path, alphabet);
}

}  // namespace rackproof::align

#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "benches/align/crew.hpp"
#include "benches/align/scoring.hpp"
#include "benches/align/sequences.hpp"

namespace rackproof::align {

/// Rows of a pair are read so many at a time.
inline constexpr std::int64_t kRowsTogether = 4;
/// Letters of any alphabet, and one for padding.
inline constexpr int kMostLetters = 22;

/// A database as the device has it: subjects of nearly the same length in pairs, the longest first.
/// A row of a pair is a letter of each, that of the first in the low byte; behind its end the first
/// number that is no letter.
struct Packed {
  std::vector<std::uint16_t> rows;
  std::vector<std::int64_t> begins;    ///< first row of each pair, and behind the last
  std::vector<std::int32_t> subjects;  ///< two of each pair; -1 for the second of an odd last one

  std::int64_t pairs() const { return static_cast<std::int64_t>(begins.size()) - 1; }
};

Packed pack(const Sequences& database, Alphabet alphabet, Crew& crew);

/// What the kernels compute with. A cell with score 0 is `base`, so that no difference is ever less
/// than 0: words of two numbers can then be added like one.
struct Numbers {
  std::int32_t first = 0;  ///< Gap::first
  std::int32_t next = 0;
  std::int32_t base = 0;
  std::int32_t most = 0;  ///< of a cell that cannot have gone over 16 bits
  bool bytes = false;     ///< each score and `first` together are from 0 to 127
};
Numbers numbers_of(const Scoring& scoring);

/// How many lanes share a pair, and how many columns each has in registers.
struct Tile {
  int lanes = 0;
  int columns = 0;
  int width() const { return lanes * columns; }
};
inline constexpr std::array<Tile, 6> kTiles = {
    {{4, 16}, {8, 20}, {8, 24}, {8, 28}, {8, 32}, {16, 32}}};

/// What an entry of the table of scores in shared memory is.
enum class Table { kBytes, kMixed, kWords };
/// Columns of a lane whose scores are bytes where the others are words.
inline constexpr int kBytesOfMixed = 16;

/// One of the kernels.
struct Way {
  Tile tile;
  Table table = Table::kBytes;
};
/// "8x32-bytes".
std::string name_of(const Way& way);
std::vector<std::string> way_names();
/// Those that can compute with `numbers`.
std::vector<Way> ways_for(const Numbers& numbers);

/// Threads of a block.
inline constexpr int kAlignThreads = 128;
inline std::int64_t pairs_of_block(const Tile& tile) { return kAlignThreads / tile.lanes; }

/// Pairs that are aligned together.
struct Batch {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

/// Pairs `first` to `end` - 1 in batches of whole blocks with at most `rows` rows each, or of one
/// block.
std::vector<Batch> batches_of(const std::vector<std::int64_t>& begins, const Batch& all,
                              const Tile& tile, std::int64_t rows);

}  // namespace rackproof::align

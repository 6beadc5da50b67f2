#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "benches/align/crew.hpp"
#include "benches/align/scoring.hpp"
#include "benches/align/sequences.hpp"
#include "benches/kit/host_device.hpp"
#include "benches/kit/pattern/pattern.hpp"

namespace rackproof::align {

/// Rows of a pair are read so many at a time.
inline constexpr std::int64_t kRowsTogether = 4;
/// Letters of any alphabet, and one for padding.
inline constexpr int kMostLetters = 22;

/// How a database lies on the device: subjects of nearly the same length in pairs, the longest
/// first.
struct Packed {
  std::vector<std::int64_t> begins;    ///< first row of each pair, and behind the last
  std::vector<std::int32_t> subjects;  ///< two of each pair; -1 for the second of an odd last one

  std::int64_t pairs() const { return static_cast<std::int64_t>(begins.size()) - 1; }
  std::int64_t rows() const { return begins.back(); }
  /// Of the longest pair.
  std::int64_t longest() const { return pairs() > 0 ? begins[1] : 0; }
};
Packed pack(const Sequences& database);

/// The rows of pairs `first` to `end` - 1: a row is a letter of each subject, that of the first in
/// the low byte, and behind its end the first number that is no letter.
void pack_rows(const Sequences& database, Alphabet alphabet, const Packed& packed,
               std::int64_t first, std::int64_t end, std::uint16_t* rows, Crew& crew);

/// What a word of some memory and its place add to the digest of all of it, modulo 2^64. Another
/// word in a place always gives another digest.
RACKPROOF_HD constexpr std::uint64_t digest_of(std::uint64_t word, std::int64_t place) {
  return kit::pattern::scramble(word ^ kit::pattern::word(0, place));
}

/// With what the cells of two subjects are computed that share a word.
enum class Arithmetic {
  kIntegers,  ///< of 16 bits: DPX
  kHalves,    ///< numbers in floating point, exact up to 2048
};

/// What the kernels compute with. A cell with score 0 is `base`: of integers no difference is then
/// ever less than 0, and words of two can be added like one.
struct Numbers {
  std::int32_t first = 0;  ///< Gap::first
  std::int32_t next = 0;
  std::int32_t base = 0;
  std::int32_t most = 0;  ///< of a cell that can have lost nothing
  bool words = false;     ///< each score and `first` together can be computed with
  bool bytes = false;     ///< and are from 0 to 127
};
Numbers numbers_of(const Scoring& scoring, Arithmetic arithmetic);

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
  Arithmetic arithmetic = Arithmetic::kIntegers;
};
/// "8x32-bytes", "8x32-bytes-half2".
std::string name_of(const Way& way);
std::vector<std::string> way_names();
/// Those that can compute with this scoring.
std::vector<Way> ways_for(const Scoring& scoring);

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

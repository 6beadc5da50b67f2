#include "benches/align/cuda_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace rackproof::align {
namespace {

constexpr std::int64_t kPairsOfItem = 256;

std::int64_t rows_of(std::int64_t length) {
  return (length + kRowsTogether - 1) / kRowsTogether * kRowsTogether;
}

// The smallest and the largest score of two letters.
std::pair<int, int> range_of(const Matrix& matrix) {
  const auto letters = static_cast<Residue>(letters_of(matrix.alphabet).size());
  std::pair<int, int> range = {std::numeric_limits<int>::max(), std::numeric_limits<int>::min()};
  for (Residue a = 0; a < letters; ++a) {
    for (Residue b = 0; b < letters; ++b) {
      range.first = std::min(range.first, matrix.score(a, b));
      range.second = std::max(range.second, matrix.score(a, b));
    }
  }
  return range;
}

}  // namespace

Packed pack(const Sequences& database, Alphabet alphabet, Crew& crew) {
  const std::int64_t count = database.size();
  const std::int64_t pairs = (count + 1) / 2;
  Packed packed;
  packed.subjects.resize(static_cast<std::size_t>(2 * pairs), -1);
  std::iota(packed.subjects.begin(), packed.subjects.begin() + count, 0);
  std::stable_sort(
      packed.subjects.begin(), packed.subjects.begin() + count,
      [&](std::int32_t a, std::int32_t b) { return database.length(a) > database.length(b); });
  packed.begins = {0};
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const std::int32_t longer = packed.subjects[static_cast<std::size_t>(2 * pair)];
    packed.begins.push_back(packed.begins.back() + rows_of(database.length(longer)));
  }
  const auto padding = static_cast<std::uint16_t>(letters_of(alphabet).size());
  packed.rows.resize(static_cast<std::size_t>(packed.begins.back()));
  crew.run((pairs + kPairsOfItem - 1) / kPairsOfItem, [&](std::int64_t item, int) {
    const std::int64_t end = std::min(pairs, (item + 1) * kPairsOfItem);
    for (std::int64_t pair = item * kPairsOfItem; pair < end; ++pair) {
      const auto at = static_cast<std::size_t>(pair);
      std::uint16_t* const rows = packed.rows.data() + packed.begins[at];
      std::fill_n(rows, packed.begins[at + 1] - packed.begins[at],
                  static_cast<std::uint16_t>(padding | padding << 8U));
      for (unsigned half = 0; half < 2; ++half) {
        const std::int32_t subject = packed.subjects[2 * at + half];
        if (subject < 0) continue;
        const auto letters = database.at(subject);
        for (std::size_t i = 0; i < letters.size(); ++i) {
          const unsigned other = rows[i] & (half == 0 ? 0xFF00U : 0xFFU);
          rows[i] = static_cast<std::uint16_t>(other | unsigned{letters[i]} << (8 * half));
        }
      }
    }
  });
  return packed;
}

Numbers numbers_of(const Scoring& scoring) {
  const auto [least, largest] = range_of(scoring.matrix);
  Numbers numbers;
  numbers.first = scoring.gap.first();
  numbers.next = scoring.gap.next();
  numbers.base = std::max(numbers.first, -least);
  numbers.most = std::numeric_limits<std::int16_t>::max() - std::max(largest, 0);
  numbers.bytes = least + numbers.first >= 0 && largest + numbers.first <= 127;
  return numbers;
}

std::string name_of(const Way& way) {
  constexpr std::array<const char*, 3> kTables = {"bytes", "mixed", "words"};
  return fmt::format("{}x{}-{}", way.tile.lanes, way.tile.columns,
                     kTables.at(static_cast<std::size_t>(way.table)));
}

std::vector<Way> ways_for(const Numbers& numbers) {
  std::vector<Way> ways;
  for (const Tile& tile : kTiles) {
    if (numbers.bytes) ways.push_back({tile, Table::kBytes});
    if (numbers.bytes && tile.columns > kBytesOfMixed) ways.push_back({tile, Table::kMixed});
    ways.push_back({tile, Table::kWords});
  }
  return ways;
}

std::vector<std::string> way_names() {
  Numbers any;
  any.bytes = true;
  std::vector<std::string> names;
  for (const Way& way : ways_for(any)) names.push_back(name_of(way));
  return names;
}

std::vector<Batch> batches_of(const std::vector<std::int64_t>& begins, const Batch& all,
                              const Tile& tile, std::int64_t rows) {
  std::vector<Batch> batches;
  const std::int64_t block = pairs_of_block(tile);
  const auto rows_between = [&](std::int64_t first, std::int64_t end) {
    return begins[static_cast<std::size_t>(end)] - begins[static_cast<std::size_t>(first)];
  };
  for (std::int64_t first = all.first; first < all.end;) {
    std::int64_t end = std::min(all.end, first + block);
    while (end < all.end) {
      const std::int64_t more = std::min(all.end, end + block);
      if (rows_between(first, more) > rows) break;
      end = more;
    }
    batches.push_back({first, end});
    first = end;
  }
  return batches;
}

}  // namespace rackproof::align

#include "benches/align/cuda_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace rackproof::align {
namespace {

constexpr std::int64_t kPairsOfItem = 256;
// What halves hold exactly is up to 2048, which may be a larger number that was rounded.
constexpr std::int32_t kMostOfHalves = 2047;

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

std::vector<Way> every_way() {
  std::vector<Way> ways;
  for (const Tile& tile : kTiles) {
    ways.push_back({tile, Table::kBytes, Arithmetic::kIntegers});
    if (tile.columns > kBytesOfMixed) {
      ways.push_back({tile, Table::kMixed, Arithmetic::kIntegers});
    }
    ways.push_back({tile, Table::kWords, Arithmetic::kIntegers});
    ways.push_back({tile, Table::kBytes, Arithmetic::kHalves});
    ways.push_back({tile, Table::kWords, Arithmetic::kHalves});
  }
  return ways;
}

}  // namespace

Packed pack(const Sequences& database) {
  const std::int64_t count = database.size();
  const std::int64_t pairs = (count + 1) / 2;
  Packed packed;
  packed.subjects.resize(static_cast<std::size_t>(2 * pairs), -1);
  std::iota(packed.subjects.begin(), packed.subjects.begin() + count, 0);
  // By their numbers where they are equally long: a stable order, without the memory of a stable
  // sort.
  std::sort(packed.subjects.begin(), packed.subjects.begin() + count,
            [&](std::int32_t a, std::int32_t b) {
              const std::int64_t of_a = database.length(a);
              const std::int64_t of_b = database.length(b);
              return of_a != of_b ? of_a > of_b : a < b;
            });
  packed.begins.reserve(static_cast<std::size_t>(pairs) + 1);
  packed.begins = {0};
  for (std::int64_t pair = 0; pair < pairs; ++pair) {
    const std::int32_t longer = packed.subjects[static_cast<std::size_t>(2 * pair)];
    packed.begins.push_back(packed.begins.back() + rows_of(database.length(longer)));
  }
  return packed;
}

void pack_rows(const Sequences& database, Alphabet alphabet, const Packed& packed,
               std::int64_t first, std::int64_t end, std::uint16_t* rows, Crew& crew) {
  const auto padding = static_cast<std::uint16_t>(letters_of(alphabet).size());
  const auto begin_of = [&](std::int64_t pair) {
    return packed.begins[static_cast<std::size_t>(pair)];
  };
  crew.run((end - first + kPairsOfItem - 1) / kPairsOfItem, [&](std::int64_t item, int) {
    const std::int64_t from = first + item * kPairsOfItem;
    for (std::int64_t pair = from; pair < std::min(end, from + kPairsOfItem); ++pair) {
      std::uint16_t* const to = rows + (begin_of(pair) - begin_of(first));
      std::fill_n(to, begin_of(pair + 1) - begin_of(pair),
                  static_cast<std::uint16_t>(padding | padding << 8U));
      for (unsigned half = 0; half < 2; ++half) {
        const std::int32_t subject = packed.subjects[2 * static_cast<std::size_t>(pair) + half];
        if (subject < 0) continue;
        const auto letters = database.at(subject);
        for (std::size_t i = 0; i < letters.size(); ++i) {
          const unsigned other = to[i] & (half == 0 ? 0xFF00U : 0xFFU);
          to[i] = static_cast<std::uint16_t>(other | unsigned{letters[i]} << (8 * half));
        }
      }
    }
  });
}

Numbers numbers_of(const Scoring& scoring, Arithmetic arithmetic) {
  const auto [least, largest] = range_of(scoring.matrix);
  Numbers numbers;
  numbers.first = scoring.gap.first();
  numbers.next = scoring.gap.next();
  numbers.bytes = least + numbers.first >= 0 && largest + numbers.first <= 127;
  if (arithmetic == Arithmetic::kHalves) {
    numbers.most = kMostOfHalves;
    numbers.words = std::max(largest, 0) + numbers.first <= kMostOfHalves;
    return numbers;
  }
  numbers.base = std::max(numbers.first, -least);
  numbers.most = std::numeric_limits<std::int16_t>::max() - std::max(largest, 0);
  numbers.words = true;
  return numbers;
}

std::string name_of(const Way& way) {
  constexpr std::array<const char*, 3> kTables = {"bytes", "mixed", "words"};
  return fmt::format("{}x{}-{}{}", way.tile.lanes, way.tile.columns,
                     kTables.at(static_cast<std::size_t>(way.table)),
                     way.arithmetic == Arithmetic::kHalves ? "-half2" : "");
}

std::vector<Way> ways_for(const Scoring& scoring) {
  std::vector<Way> ways = every_way();
  std::erase_if(ways, [&](const Way& way) {
    const Numbers numbers = numbers_of(scoring, way.arithmetic);
    return !numbers.words || (way.table != Table::kWords && !numbers.bytes);
  });
  return ways;
}

std::vector<std::string> way_names() {
  std::vector<std::string> names;
  for (const Way& way : every_way()) names.push_back(name_of(way));
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

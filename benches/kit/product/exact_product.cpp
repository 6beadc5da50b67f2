#include "benches/kit/product/exact_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "benches/kit/product/operands.hpp"

namespace rackproof::product {
namespace {

// All sums are modulo 2^64: unsigned words wrap, so equal integers give equal sums whatever the order.
using Words = std::vector<std::uint64_t>;
// Two series of weights, or the two sums that belong to them: plain and random.
using Pair = std::array<Words, 2>;

// Multiply-adds spent at most on finding which elements of suspect rows and columns are wrong.
constexpr std::int64_t kSearchBudget = std::int64_t{1} << 33;
constexpr std::int64_t kChunk = 512;

Words zeros(std::int64_t count) { return Words(static_cast<std::size_t>(count)); }

Pair weights(std::int64_t count, std::uint64_t seed) {
  Pair pair{Words(static_cast<std::size_t>(count), 1), zeros(count)};
  for (std::size_t i = 0; i < pair[1].size(); ++i) pair[1][i] = mix(seed, i);
  return pair;
}

template <class T>
bool is_integer(T value) {
  constexpr double kMost = 9007199254740992.0;  // 2^53
  return std::abs(static_cast<double>(value)) <= kMost && std::trunc(value) == value;
}

// Integers of a chunk as words; false when one of them is none (it counts as 0 then).
template <class T>
bool to_words(const T* values, std::int64_t count, std::uint64_t* words) {
  bool integers = true;
  for (std::int64_t j = 0; j < count; ++j) {
    constexpr double kMost = 9007199254740992.0;
    const double value = values[j];
    const bool inside = value >= -kMost && value <= kMost;
    const auto whole = static_cast<std::int64_t>(inside ? value : 0.0);
    integers &= inside && static_cast<double>(whole) == value;
    words[j] = static_cast<std::uint64_t>(whole);
  }
  return integers;
}

// right[w][i] = sum over j of M(i,j) * x[w][j]; false for a row that holds something not an integer.
template <class T>
std::vector<std::uint8_t> times_right(const Matrix<T>& matrix, const Pair& x, Pair& right) {
  right = {zeros(matrix.rows), zeros(matrix.rows)};
  std::vector<std::uint8_t> broken(static_cast<std::size_t>(matrix.rows));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    std::array<std::uint64_t, kChunk> words;
    std::uint64_t plain = 0;
    std::uint64_t random = 0;
    bool integers = true;
    for (std::int64_t from = 0; from < matrix.columns; from += kChunk) {
      const std::int64_t count = std::min(kChunk, matrix.columns - from);
      integers &= to_words(matrix.row(i) + from, count, words.data());
      for (std::int64_t j = 0; j < count; ++j) {
        plain += words[j] * x[0][from + j];
        random += words[j] * x[1][from + j];
      }
    }
    right[0][i] = plain;
    right[1][i] = random;
    broken[i] = static_cast<std::uint8_t>(!integers);
  }
  return broken;
}

// left[w][j] = sum over i of y[w][i] * M(i,j). Each thread owns columns, so nothing is shared.
template <class T>
void times_left(const Pair& y, const Matrix<T>& matrix, Pair& left) {
  left = {zeros(matrix.columns), zeros(matrix.columns)};
  const std::int64_t chunks = (matrix.columns + kChunk - 1) / kChunk;
#pragma omp parallel for schedule(static)
  for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
    std::array<std::uint64_t, kChunk> words;
    const std::int64_t from = chunk * kChunk;
    const std::int64_t count = std::min(kChunk, matrix.columns - from);
    std::uint64_t* const plain = left[0].data() + from;
    std::uint64_t* const random = left[1].data() + from;
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      to_words(matrix.row(i) + from, count, words.data());
      const std::uint64_t y0 = y[0][i];
      const std::uint64_t y1 = y[1][i];
      for (std::int64_t j = 0; j < count; ++j) {
        plain[j] += y0 * words[j];
        random[j] += y1 * words[j];
      }
    }
  }
}

std::vector<std::int64_t> differing(const Pair& got, const Pair& want) {
  std::vector<std::int64_t> places;
  for (std::size_t i = 0; i < got[0].size(); ++i) {
    if (got[0][i] != want[0][i] || got[1][i] != want[1][i]) {
      places.push_back(static_cast<std::int64_t>(i));
    }
  }
  return places;
}

std::vector<std::int64_t> up_to(std::int64_t count) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) all[i] = i;
  return all;
}

// The elements of one row of the product, in the columns asked for.
template <class T>
Words exact_row(const Product<T>& p, std::int64_t row, const std::vector<std::int64_t>& columns) {
  Words sums(columns.size());
  for (std::int64_t l = 0; l < p.a.columns; ++l) {
    const auto factor = static_cast<std::int64_t>(p.a.at(row, l));
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const auto other = static_cast<std::int64_t>(p.b.at(l, columns[j]));
      sums[j] += static_cast<std::uint64_t>(factor * other);
    }
  }
  return sums;
}

template <class T>
bool is_wrong(T got, std::uint64_t want) {
  return !is_integer(got) ||
         static_cast<std::uint64_t>(static_cast<std::int64_t>(got)) != want;
}

// Computes what should be where suspect rows and columns meet, and counts and places what is not.
template <class T>
Fault search(const Product<T>& p, const std::vector<std::int64_t>& rows,
             const std::vector<std::int64_t>& columns, const std::string& where) {
  Fault fault;
  const std::int64_t row_cost = p.a.columns * static_cast<std::int64_t>(columns.size());
  const auto affordable = std::max<std::int64_t>(1, kSearchBudget / std::max<std::int64_t>(1, row_cost));
  const auto count = std::min(affordable, static_cast<std::int64_t>(rows.size()));
  fault.all_counted = count == static_cast<std::int64_t>(rows.size());
  std::int64_t first_row = p.c.rows;
  std::int64_t wrong = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : wrong) reduction(min : first_row)
  for (std::int64_t r = 0; r < count; ++r) {
    const Words want = exact_row(p, rows[r], columns);
    std::int64_t here = 0;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      here += static_cast<int>(is_wrong(p.c.at(rows[r], columns[j]), want[j]));
    }
    if (here > 0) first_row = std::min(first_row, rows[r]);
    wrong += here;
  }
  fault.wrong = wrong;
  if (wrong == 0) return fault;
  const Words want = exact_row(p, first_row, columns);
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const T got = p.c.at(first_row, columns[j]);
    if (!is_wrong(got, want[j])) continue;
    fault.first = protocol::FirstWrong{
        fmt::format("{}row {}, column {}", where, first_row, columns[j]), fmt::format("{}", got),
        fmt::format("{}", static_cast<std::int64_t>(want[j]))};
    break;
  }
  return fault;
}

template <class T>
Fault check(const Product<T>& p, std::uint64_t seed, const std::string& where) {
  const Pair x = weights(p.c.columns, mix(seed, 0));
  const Pair y = weights(p.c.rows, mix(seed, 1));
  Pair bx, want_right, ya, want_left, got_right, got_left;
  times_right(p.b, x, bx);
  times_right(p.a, bx, want_right);
  times_left(y, p.a, ya);
  times_left(ya, p.b, want_left);
  const std::vector<std::uint8_t> broken = times_right(p.c, x, got_right);
  times_left(y, p.c, got_left);

  std::vector<std::int64_t> rows = differing(got_right, want_right);
  std::vector<std::int64_t> columns = differing(got_left, want_left);
  bool any_broken = false;
  for (std::int64_t i = 0; i < p.c.rows; ++i) {
    if (broken[i] == 0) continue;
    any_broken = true;
    rows.push_back(i);
  }
  if (rows.empty() && columns.empty()) return {};
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  const std::string suspects =
      fmt::format("{} of {} rows and {} of {} columns have a wrong checksum", rows.size(), p.c.rows,
                  columns.size(), p.c.columns);
  if (rows.empty()) rows = up_to(p.c.rows);
  // What is no integer counted as 0, which may by chance be right in the sum of its column.
  if (columns.empty() || any_broken) columns = up_to(p.c.columns);

  Fault fault = search(p, rows, columns, where);
  fault.detail = suspects;
  if (fault.wrong > 0) return fault;
  // Each element that was computed again is right: the operands or the result changed meanwhile.
  fault.wrong = 1;
  fault.all_counted = false;
  fault.first = protocol::FirstWrong{fmt::format("{}checksum of row {}", where, rows.front()),
                                     fmt::format("{}", got_right[1][rows.front()]),
                                     fmt::format("{}", want_right[1][rows.front()])};
  return fault;
}

}  // namespace

Fault check_exact(const Product<double>& product, std::uint64_t seed, const std::string& where) {
  return check(product, seed, where);
}
Fault check_exact(const Product<float>& product, std::uint64_t seed, const std::string& where) {
  return check(product, seed, where);
}

}  // namespace rackproof::product

#include "benches/kit/product/exact_product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "benches/kit/product/clones.hpp"
#include "benches/kit/product/operands.hpp"
#include "benches/kit/product/suspects.hpp"

namespace rackproof::product {
namespace {

using Pair = WordPair;

constexpr std::int64_t kChunk = 512;
constexpr double kMost = 9007199254740992.0;  // 2^53: larger integers are not all doubles

Words zeros(std::int64_t count) { return Words(static_cast<std::size_t>(count)); }

Pair weights(std::int64_t count, std::uint64_t seed) {
  Pair pair{Words(static_cast<std::size_t>(count), 1), zeros(count)};
  for (std::size_t i = 0; i < pair[1].size(); ++i) pair[1][i] = mix(seed, i);
  return pair;
}

template <class T>
bool is_integer(T value) {
  return std::abs(static_cast<double>(value)) <= kMost && std::trunc(value) == value;
}

// Integers of a chunk as words; false when one of them is none (its integer part
// counts then, or 0).
RACKPROOF_CLONES bool to_words(const double* values, std::int64_t count, std::uint64_t* words) {
  std::int64_t broken = 0;
  for (std::int64_t j = 0; j < count; ++j) {
    const double value = values[j];
    const double safe = std::abs(value) <= kMost ? value : 0.0;
    const auto whole = static_cast<std::int64_t>(safe);
    broken |= static_cast<std::int64_t>(static_cast<double>(whole) != value);
    words[j] = static_cast<std::uint64_t>(whole);
  }
  return broken == 0;
}

bool to_words(const float* values, std::int64_t count, std::uint64_t* words) {
  std::array<double, kChunk> wide;
  std::copy(values, values + count, wide.begin());
  return to_words(wide.data(), count, words);
}

RACKPROOF_CLONES std::uint64_t dot(const std::uint64_t* words, const std::uint64_t* x,
                                   std::int64_t count) {
  std::uint64_t sum = 0;
  for (std::int64_t j = 0; j < count; ++j) sum += words[j] * x[j];
  return sum;
}

RACKPROOF_CLONES void add_scaled(std::uint64_t factor, const std::uint64_t* words,
                                 std::int64_t count, std::uint64_t* sums) {
  for (std::int64_t j = 0; j < count; ++j) sums[j] += factor * words[j];
}

// right[w][i] = sum over j of M(i,j) * x[w][j], left[w][j] = sum over i of y[w][i] * M(i,j), and
// which rows hold something that is no integer.
struct Sums {
  Pair right;
  Pair left;
  std::vector<std::uint8_t> broken;
};

// A side without weights is left empty.
template <class T>
Sums sums(const Matrix<T>& matrix, const Pair* x, const Pair* y) {
  Sums all;
  if (x != nullptr) all.right = {zeros(matrix.rows), zeros(matrix.rows)};
  if (y != nullptr) all.left = {zeros(matrix.columns), zeros(matrix.columns)};
  all.broken.resize(static_cast<std::size_t>(matrix.rows));
#pragma omp parallel
  {
    Pair left;
    if (y != nullptr) left = {zeros(matrix.columns), zeros(matrix.columns)};
    std::array<std::uint64_t, kChunk> words;
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < matrix.rows; ++i) {
      for (std::int64_t from = 0; from < matrix.columns; from += kChunk) {
        const std::int64_t count = std::min(kChunk, matrix.columns - from);
        if (!to_words(matrix.row(i) + from, count, words.data())) all.broken[i] = 1;
        for (std::size_t w = 0; w < 2; ++w) {
          if (x != nullptr) all.right[w][i] += dot(words.data(), (*x)[w].data() + from, count);
          if (y != nullptr) add_scaled((*y)[w][i], words.data(), count, left[w].data() + from);
        }
      }
    }
    if (y != nullptr) {
#pragma omp critical(rackproof_exact_product)
      for (std::size_t w = 0; w < 2; ++w) {
        add_scaled(1, left[w].data(), matrix.columns, all.left[w].data());
      }
    }
  }
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
  return !is_integer(got) || static_cast<std::uint64_t>(static_cast<std::int64_t>(got)) != want;
}

// Computes what should be where suspect rows and columns meet, and counts and places what is not.
template <class T>
Fault search(const Product<T>& p, const Suspects& suspects, const std::string& where) {
  const std::vector<std::int64_t>& rows = suspects.rows;
  const std::vector<std::int64_t>& columns = suspects.columns;
  Fault fault;
  const std::int64_t count = affordable_rows(suspects, p.a.columns);
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
  const Sums of_b = sums(p.b, &x, nullptr);
  const Sums of_a = sums(p.a, &of_b.right, &y);
  const Pair& want_right = of_a.right;
  const Pair want_left = sums(p.b, nullptr, &of_a.left).left;
  const Sums got = sums(p.c, &x, &y);

  const Suspects suspects =
      find_suspects({got.right, got.left}, {want_right, want_left}, got.broken);
  if (suspects.none()) return {};
  Fault fault = search(p, suspects, where);
  fault.detail = suspects.detail;
  if (fault.wrong > 0) return fault;
  // Each element that was computed again is right: the operands or the result changed meanwhile.
  fault.wrong = 1;
  fault.all_counted = false;
  fault.first =
      protocol::FirstWrong{fmt::format("{}checksum of row {}", where, suspects.rows.front()),
                           fmt::format("{}", got.right[1][suspects.rows.front()]),
                           fmt::format("{}", want_right[1][suspects.rows.front()])};
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

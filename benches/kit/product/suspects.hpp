#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rackproof::product {

/// Sums modulo 2^64: unsigned words wrap, so equal integers give equal sums whatever the order.
using Words = std::vector<std::uint64_t>;
/// Two series of weights, or the two sums that belong to them: plain (all ones) and random.
using WordPair = std::array<Words, 2>;

/// Checksums of a product: of its rows (C w) and of its columns (v C).
struct Checksums {
  WordPair rows;
  WordPair columns;
};

/// The rows and columns of C where a wrong element can be.
struct Suspects {
  std::vector<std::int64_t> rows;
  std::vector<std::int64_t> columns;
  std::string detail;  ///< how many have a wrong checksum; empty when there is none

  bool none() const { return detail.empty(); }
};

/// Crosses rows and columns whose checksums differ. `broken[i]` is not 0 when row i holds something
/// that is no integer. Rows alone, or columns alone, mean errors that make up for each other: then
/// every column, or row, is a suspect; so they are when a row is broken, since what is no integer
/// counted as its integer part.
Suspects find_suspects(const Checksums& got, const Checksums& want,
                       const std::vector<std::uint8_t>& broken);

/// How many of the suspect rows can be computed again, each with all suspect columns, within a
/// budget of 2^33 multiply-adds; 1 at least.
std::int64_t affordable_rows(const Suspects& suspects, std::int64_t depth);

}  // namespace rackproof::product

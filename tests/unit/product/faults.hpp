#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "benches/kit/product/formats.hpp"
#include "benches/kit/product/numbers.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::test {

/// A result matrix as a device stores it, row by row.
struct Stored {
  product::Result type;
  std::int64_t m;
  std::int64_t n;
  int width;  ///< bytes of an element
  std::vector<unsigned char> bytes;

  Stored(product::Result result, std::int64_t rows, std::int64_t columns, int element_bytes)
      : type(result),
        m(rows),
        n(columns),
        width(element_bytes),
        bytes(static_cast<std::size_t>(rows * columns * element_bytes)) {}

  unsigned char* at(std::int64_t row, std::int64_t column) {
    return bytes.data() + (row * n + column) * width;
  }
  product::Whole whole(std::int64_t row, std::int64_t column) const {
    const std::int64_t index = row * n + column;
    switch (type) {
      case product::Result::kFp64:
        return product::whole_of(as<double>(index));
      case product::Result::kFp32:
        return product::whole_of(as<float>(index));
      case product::Result::kBf16:
        return product::whole_of(as<product::Bf16>(index));
      case product::Result::kFp16:
        return product::whole_of(as<product::Fp16>(index));
      case product::Result::kInt32:
        return product::whole_of(as<std::int32_t>(index));
    }
    throw std::logic_error("a result type without a case");
  }
  void store(std::int64_t row, std::int64_t column, std::int64_t value) {
    switch (type) {
      case product::Result::kFp64:
        return put(row, column, static_cast<double>(value));
      case product::Result::kFp32:
        return put(row, column, static_cast<float>(value));
      case product::Result::kBf16:
        return put(row, column, product::encode_bf16(static_cast<float>(value)));
      case product::Result::kFp16:
        return put(row, column, product::encode_fp16(static_cast<float>(value)));
      case product::Result::kInt32:
        return put(row, column, static_cast<std::int32_t>(value));
    }
  }
  void flip(std::int64_t row, std::int64_t column, int bit) {
    at(row, column)[bit / 8] ^= static_cast<unsigned char>(1U << (bit % 8));
  }
  std::uint64_t bits(std::int64_t index) const {
    return product::element_bits(bytes.data(), index, width);
  }

 private:
  template <class T>
  T as(std::int64_t index) const {
    T value;
    std::memcpy(&value, bytes.data() + index * width, sizeof(T));
    return value;
  }
  template <class T>
  void put(std::int64_t row, std::int64_t column, T value) {
    std::memcpy(at(row, column), &value, sizeof(T));
  }
};

/// Elements whose bits differ.
inline std::int64_t differences(const Stored& a, const Stored& b) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < a.m * a.n; ++i) count += a.bits(i) != b.bits(i) ? 1 : 0;
  return count;
}

/// One way in which a right result of at least 48 x 48 can be wrong.
struct FaultClass {
  std::string name;
  std::function<void(Stored&)> apply;
};

namespace faults {

constexpr std::int64_t kTile = 16;

struct Place {
  std::int64_t row;
  std::int64_t column;
};

// An element that is not 0 nor near the limits of the smallest type, at `from` or behind it.
inline Place element(const Stored& c, std::int64_t from) {
  for (std::int64_t i = from; i < c.m * c.n; ++i) {
    const std::int64_t value = c.whole(i / c.n, i % c.n).value;
    if (value != 0 && value != -1 && (c.width > 2 || std::abs(value) < 200)) {
      return {i / c.n, i % c.n};
    }
  }
  throw std::logic_error("a result of zeros");
}

inline void copy_element(Stored& c, Place to, Place from) {
  std::memmove(c.at(to.row, to.column), c.at(from.row, from.column),
               static_cast<std::size_t>(c.width));
}

inline void swap_elements(Stored& c, Place a, Place b) {
  std::swap_ranges(c.at(a.row, a.column), c.at(a.row, a.column) + c.width, c.at(b.row, b.column));
}

inline void each_of_tile(const std::function<void(std::int64_t, std::int64_t)>& use) {
  for (std::int64_t i = 0; i < kTile; ++i) {
    for (std::int64_t j = 0; j < kTile; ++j) use(i, j);
  }
}

inline void one_bit(Stored& c, int bit) {
  const Place at = element(c, c.n * 5 + 7);
  c.flip(at.row, at.column, bit);
}

// +1, -1 in one row and -1, +1 in another, in the same columns: all plain sums stay as they are.
inline void cancelling(Stored& c) {
  for (const auto& [row, column, add] :
       {std::tuple{3, 4, 1}, {3, 40, -1}, {30, 4, -1}, {30, 40, 1}}) {
    c.store(row, column, c.whole(row, column).value + add);
  }
}

inline void infinity(Stored& c) {
  const Place at = element(c, 99);
  unsigned char* const to = c.at(at.row, at.column);
  std::memset(to, 0, static_cast<std::size_t>(c.width));
  to[c.width - 1] = 0x7F;
  to[c.width - 2] = c.type == product::Result::kFp64   ? 0xF0
                    : c.type == product::Result::kFp16 ? 0
                                                       : 0x80;
  if (c.type == product::Result::kFp16) to[1] = 0x7C;
}

}  // namespace faults

inline std::vector<FaultClass> fault_classes() {
  using namespace faults;
  return {
      {"lowest bit", [](Stored& c) { one_bit(c, 0); }},
      {"bit in the middle", [](Stored& c) { one_bit(c, 4 * c.width); }},
      {"highest bit", [](Stored& c) { one_bit(c, 8 * c.width - 1); }},
      {"NaN",
       [](Stored& c) {
         const Place at = element(c, 31);
         std::memset(c.at(at.row, at.column), 0xFF, static_cast<std::size_t>(c.width));
       }},
      {"infinity", infinity},
      {"zeroed tile",
       [](Stored& c) {
         each_of_tile([&](auto i, auto j) { c.store(kTile + i, 2 * kTile + j, 0); });
       }},
      {"stuck tile",
       [](Stored& c) {
         each_of_tile([&](auto i, auto j) { copy_element(c, {i, kTile + j}, {0, kTile}); });
       }},
      {"tile of another place",
       [](Stored& c) {
         each_of_tile([&](auto i, auto j) { copy_element(c, {kTile + i, kTile + j}, {i, j}); });
       }},
      {"tile shifted by a column",
       [](Stored& c) {
         each_of_tile([&](auto i, auto j) { copy_element(c, {i, j}, {i, j + 1}); });
       }},
      {"transposed tile",
       [](Stored& c) {
         each_of_tile([&](auto i, auto j) {
           if (i < j) swap_elements(c, {i, j}, {j, i});
         });
       }},
      {"one lane of each warp",
       [](Stored& c) {
         for (std::int64_t i = 13; i < c.m * c.n; i += 32) c.flip(i / c.n, i % c.n, 3);
       }},
      {"swapped rows",
       [](Stored& c) {
         for (std::int64_t j = 0; j < c.n; ++j) swap_elements(c, {2, j}, {17, j});
       }},
      {"swapped columns",
       [](Stored& c) {
         for (std::int64_t i = 0; i < c.m; ++i) swap_elements(c, {i, 5}, {i, 6});
       }},
      {"row that nobody wrote",
       [](Stored& c) { std::memset(c.at(9, 0), 0xFF, static_cast<std::size_t>(c.n * c.width)); }},
      {"result that nobody wrote",
       [](Stored& c) {
         std::fill(c.bytes.begin(), c.bytes.end(), static_cast<unsigned char>(0xFF));
       }},
      {"errors that make up for each other", cancelling},
      {"bit stuck in a column",
       [](Stored& c) {
         for (std::int64_t i = 0; i < c.m; ++i) c.at(i, 11)[0] |= 4U;
       }},
      {"last element", [](Stored& c) { c.flip(c.m - 1, c.n - 1, 8 * c.width - 2); }},
  };
}

}  // namespace rackproof::test

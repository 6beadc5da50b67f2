#include "benches/kit/product/digest.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "benches/kit/product/operands.hpp"

namespace rackproof::product {
namespace {

constexpr std::size_t kLanes = 8;
using Lanes = std::array<std::uint64_t, kLanes>;

struct Sums {
  Lanes plain{};
  Lanes weighted{};

  void add(const Lanes& words) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      plain[lane] += words[lane];
      weighted[lane] += plain[lane];
    }
  }
};

// Adding 0 turns -0 into 0, and leaves all else as it is.
template <class T, std::size_t kCount>
Lanes to_words(const T* values, T sign) {
  std::array<T, kCount> canonical;
  for (std::size_t j = 0; j < kCount; ++j) canonical[j] = sign * values[j] + T{0};
  Lanes words;
  std::memcpy(words.data(), canonical.data(), sizeof(words));
  return words;
}

template <class T>
std::uint64_t digest_row(const T* values, std::int64_t count, T sign) {
  constexpr std::size_t kStep = sizeof(Lanes) / sizeof(T);
  constexpr auto kStride = static_cast<std::int64_t>(kStep);
  Sums sums;
  std::int64_t at = 0;
  for (; at + kStride <= count; at += kStride) sums.add(to_words<T, kStep>(values + at, sign));
  if (at < count) {
    std::array<T, kStep> rest{};
    std::copy(values + at, values + count, rest.begin());
    sums.add(to_words<T, kStep>(rest.data(), sign));
  }
  auto digest = static_cast<std::uint64_t>(count);
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    // mix() is a bijection of its seed, so a lone change of one lane cannot get lost here.
    digest = mix(digest ^ sums.plain[lane], 0);
    digest = mix(digest ^ sums.weighted[lane], 0);
  }
  return digest;
}

template <class T>
std::vector<std::uint64_t> digests(const Matrix<T>& matrix, int sign) {
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(matrix.rows));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    rows[i] = digest_row(matrix.row(i), matrix.columns, static_cast<T>(sign));
  }
  return rows;
}

}  // namespace

std::vector<std::uint64_t> row_digests(const Matrix<double>& matrix, int sign) {
  return digests(matrix, sign);
}
std::vector<std::uint64_t> row_digests(const Matrix<float>& matrix, int sign) {
  return digests(matrix, sign);
}

}  // namespace rackproof::product

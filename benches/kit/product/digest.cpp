#include "benches/kit/product/digest.hpp"

#include <array>
#include <cstring>

#include "benches/kit/product/operands.hpp"

namespace rackproof::product {
namespace {

constexpr std::size_t kLanes = 8;
using Lanes = std::array<std::uint64_t, kLanes>;

std::uint64_t digest_bytes(const unsigned char* bytes, std::size_t count) {
  Lanes plain{};
  Lanes weighted{};
  Lanes words{};
  const auto add = [&] {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      plain[lane] += words[lane];
      weighted[lane] += plain[lane];
    }
  };
  std::size_t at = 0;
  for (; at + sizeof(Lanes) <= count; at += sizeof(Lanes)) {
    std::memcpy(words.data(), bytes + at, sizeof(Lanes));
    add();
  }
  if (at < count) {
    words = {};
    std::memcpy(words.data(), bytes + at, count - at);
    add();
  }
  std::uint64_t digest = count;
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    // mix() is a bijection of its seed, so a lone change of one lane cannot get lost here.
    digest = mix(digest ^ plain[lane], 0);
    digest = mix(digest ^ weighted[lane], 0);
  }
  return digest;
}

template <class T>
std::vector<std::uint64_t> digests(const Matrix<T>& matrix) {
  std::vector<std::uint64_t> rows(static_cast<std::size_t>(matrix.rows));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    rows[i] = digest_bytes(reinterpret_cast<const unsigned char*>(matrix.row(i)),
                           static_cast<std::size_t>(matrix.columns) * sizeof(T));
  }
  return rows;
}

}  // namespace

std::vector<std::uint64_t> row_digests(const Matrix<double>& matrix) { return digests(matrix); }
std::vector<std::uint64_t> row_digests(const Matrix<float>& matrix) { return digests(matrix); }

}  // namespace rackproof::product

#pragma once

#include <algorithm>
#include <cstdint>

// The functions of the toolkit for two numbers of 16 bits in a word, and those for one of 32 that
// take more than one step: its headers have them for nvcc alone. One for each that a kernel calls.

namespace rackproof::cuda_host {

/// Does `operation` with the halves of three words, each a number with a sign.
template <class Operation>
[[gnu::no_sanitize_thread]] inline std::uint32_t each_half(std::uint32_t a, std::uint32_t b,
                                                           std::uint32_t c, Operation operation) {
  const auto half = [&](unsigned shift) {
    const int made =
        operation(static_cast<std::int16_t>(a >> shift), static_cast<std::int16_t>(b >> shift),
                  static_cast<std::int16_t>(c >> shift));
    return static_cast<std::uint32_t>(static_cast<std::uint16_t>(made)) << shift;
  };
  return half(16) | half(0);
}

/// What PTX calls prmt.
[[gnu::no_sanitize_thread]] inline std::uint32_t permute_bytes(std::uint32_t low,
                                                               std::uint32_t high,
                                                               std::uint32_t selector) {
  const std::uint64_t bytes = std::uint64_t{high} << 32U | low;
  std::uint32_t made = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t name = selector >> (4 * i) & 0xFU;
    std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * (name & 7U))) & 0xFFU;
    if ((name & 8U) != 0) byte = (byte & 0x80U) != 0 ? 0xFFU : 0;
    made |= byte << (8 * i);
  }
  return made;
}

}  // namespace rackproof::cuda_host

[[gnu::no_sanitize_thread]] inline std::uint32_t __vimax3_s16x2(std::uint32_t a, std::uint32_t b,
                                                                std::uint32_t c) {
  return ::rackproof::cuda_host::each_half(a, b, c, [](int x, int y, int z) {
    return std::max({x, y, z});
  });
}

/// The larger of a + b, which loses what does not fit into 16 bits, and c.
[[gnu::no_sanitize_thread]] inline std::uint32_t __viaddmax_s16x2(std::uint32_t a, std::uint32_t b,
                                                                  std::uint32_t c) {
  return ::rackproof::cuda_host::each_half(a, b, c, [](int x, int y, int z) {
    return std::max(int{static_cast<std::int16_t>(x + y)}, z);
  });
}

[[gnu::no_sanitize_thread]] inline int __vimax3_s32(int a, int b, int c) {
  return std::max({a, b, c});
}

[[gnu::no_sanitize_thread]] inline int __viaddmax_s32(int a, int b, int c) {
  return std::max(static_cast<int>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b)),
                  c);
}

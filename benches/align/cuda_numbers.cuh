#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "benches/align/cuda_plan.hpp"
#include "benches/kit/cuda/ptx.cuh"

// How the kernels compute with words: with two numbers in each, or with one.
namespace rackproof::align {

// What does not change in a kernel.
struct Steady {
  std::uint32_t one;  // a factor that the compiler does not know: it takes the multiplier
  std::uint32_t high;
  std::uint32_t base;
  std::uint32_t minus_first;
  std::uint32_t minus_next;
  std::uint32_t minus_next_each;
  std::uint32_t padding;
};

// Two subjects in a word.
struct Pair {
  static constexpr bool kTwo = true;
  static __device__ std::uint32_t max3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return __vimax3_s16x2(a, b, c);
  }
  static __device__ std::uint32_t add_max(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return __viaddmax_s16x2(a, b, c);
  }
  // With scores in bytes: that of column `i` of each, with its sign, which is none, above it.
  template <int i>
  static __device__ std::uint32_t corner_of_bytes(std::uint32_t before, const std::uint32_t* a,
                                                  const std::uint32_t* b, const Steady& steady) {
    constexpr std::uint32_t kByte = i % 4;
    constexpr std::uint32_t kSelector =
        kByte | (8 | kByte) << 4 | (4 | kByte) << 8 | (12 | kByte) << 12;
    return kit::cuda::permute_bytes(a[i / 4], b[i / 4], kSelector) * steady.one + before;
  }
  // With scores in words: no byte has to be picked, for four times the shared memory.
  template <int i>
  static __device__ std::uint32_t corner_of_words(std::uint32_t before, const std::uint32_t* a,
                                                  const std::uint32_t* b, const Steady& steady) {
    return b[i] * steady.high + (a[i] * steady.one + before);
  }
};

// One subject in 32 bits.
struct Single {
  static constexpr bool kTwo = false;
  static __device__ std::uint32_t max3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return static_cast<std::uint32_t>(
        __vimax3_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
  }
  static __device__ std::uint32_t add_max(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return static_cast<std::uint32_t>(
        __viaddmax_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
  }
  template <int i>
  static __device__ std::uint32_t corner_of_words(std::uint32_t before, const std::uint32_t* a,
                                                  const std::uint32_t*, const Steady& steady) {
    return a[i] * steady.one + before;
  }
};

template <class Kind>
__device__ Steady steady_of(const Numbers& numbers, int letters, std::uint32_t one) {
  const std::uint32_t both = Kind::kTwo ? 0x10001U : 1U;
  const auto next = static_cast<std::uint32_t>(-numbers.next);
  Steady steady;
  steady.one = one;
  steady.high = one << 16;
  steady.base = static_cast<std::uint32_t>(numbers.base) * both;
  steady.minus_first = static_cast<std::uint32_t>(-numbers.first) * both;
  steady.minus_next = next * both;
  steady.minus_next_each = Kind::kTwo ? (next & 0xFFFFU) * both : next;
  steady.padding = static_cast<std::uint32_t>(letters) * (Kind::kTwo ? 0x101U : 1U);
  return steady;
}

}  // namespace rackproof::align

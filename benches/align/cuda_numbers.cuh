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
  std::uint32_t outside;  // the corner of a cell that is in no matrix
  std::uint32_t minus_first;
  std::uint32_t minus_next;
  std::uint32_t minus_next_each;
  std::uint32_t padding;
};

// Of letters `i` of two subjects, from what a lane loaded of the table.
template <int i>
__device__ std::uint32_t two_bytes(const std::uint32_t* a, const std::uint32_t* b) {
  constexpr std::uint32_t kByte = i % 4;
  // Above each byte its sign, which is none.
  constexpr std::uint32_t kSelector =
      kByte | (8 | kByte) << 4 | (4 | kByte) << 8 | (12 | kByte) << 12;
  return kit::cuda::permute_bytes(a[i / 4], b[i / 4], kSelector);
}

// How integers, of which no difference is less than 0, are added to words.
struct Integers {
  static __device__ std::uint32_t entry(int score) { return static_cast<std::uint32_t>(score); }
  static __device__ std::uint32_t corner(std::uint32_t made, const Steady& steady) {
    return made * steady.one + steady.minus_first;
  }
};

// Two subjects in a word.
struct Pair : Integers {
  static constexpr bool kTwo = true;
  static __device__ std::uint32_t max3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return __vimax3_s16x2(a, b, c);
  }
  static __device__ std::uint32_t ending(std::uint32_t before, std::uint32_t corner,
                                         const Steady& steady) {
    return max3(before * steady.one + steady.minus_next, corner, steady.base);
  }
  static __device__ std::uint32_t gap(std::uint32_t before, std::uint32_t corner,
                                      const Steady& steady) {
    return __viaddmax_s16x2(before, steady.minus_next_each, corner);
  }
  // With scores in bytes.
  template <int i>
  static __device__ std::uint32_t with_bytes(std::uint32_t before, const std::uint32_t* a,
                                             const std::uint32_t* b, const Steady& steady) {
    return two_bytes<i>(a, b) * steady.one + before;
  }
  // With scores in words: no byte has to be picked, for four times the shared memory.
  template <int i>
  static __device__ std::uint32_t with_words(std::uint32_t before, const std::uint32_t* a,
                                             const std::uint32_t* b, const Steady& steady) {
    return b[i] * steady.high + (a[i] * steady.one + before);
  }
};

// Two subjects in a word in floating point, for devices whose maxima of integers of 16 bits take
// several instructions. The number n is n * 2^-24: up to 2048 each is exact, and from 0 to 2047 its
// bits are those of the integer, so that tables and what is made of the largest cell are the same.
// From 2048 on numbers are rounded, but never to less than 2048.
struct PairOfHalves {
  static constexpr bool kTwo = true;
  static __device__ std::uint32_t entry(int score) { return half_of(score); }
  static __device__ std::uint32_t max3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return kit::cuda::larger_halves(kit::cuda::larger_halves(a, b), c);
  }
  static __device__ std::uint32_t corner(std::uint32_t made, const Steady& steady) {
    return kit::cuda::add_halves(made, steady.minus_first);
  }
  // The floor costs nothing.
  static __device__ std::uint32_t ending(std::uint32_t before, std::uint32_t corner,
                                         const Steady& steady) {
    return kit::cuda::larger_halves(kit::cuda::add_halves_from_zero(before, steady.minus_next),
                                    corner);
  }
  static __device__ std::uint32_t gap(std::uint32_t before, std::uint32_t corner,
                                      const Steady& steady) {
    return kit::cuda::larger_halves(kit::cuda::add_halves(before, steady.minus_next), corner);
  }
  template <int i>
  static __device__ std::uint32_t with_bytes(std::uint32_t before, const std::uint32_t* a,
                                             const std::uint32_t* b, const Steady&) {
    return kit::cuda::add_halves(two_bytes<i>(a, b), before);
  }
  template <int i>
  static __device__ std::uint32_t with_words(std::uint32_t before, const std::uint32_t* a,
                                             const std::uint32_t* b, const Steady& steady) {
    return kit::cuda::add_halves(b[i] * steady.high + a[i], before);
  }

  static __device__ std::uint32_t half_of(int number) {
    return number < 0 ? 0x8000U | static_cast<std::uint32_t>(-number)
                      : static_cast<std::uint32_t>(number);
  }
};

// One subject in 32 bits.
struct Single : Integers {
  static constexpr bool kTwo = false;
  static __device__ std::uint32_t max3(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return static_cast<std::uint32_t>(
        __vimax3_s32(static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)));
  }
  static __device__ std::uint32_t ending(std::uint32_t before, std::uint32_t corner,
                                         const Steady& steady) {
    return max3(before * steady.one + steady.minus_next, corner, steady.base);
  }
  static __device__ std::uint32_t gap(std::uint32_t before, std::uint32_t corner,
                                      const Steady& steady) {
    return static_cast<std::uint32_t>(__viaddmax_s32(static_cast<int>(before),
                                                     static_cast<int>(steady.minus_next_each),
                                                     static_cast<int>(corner)));
  }
  template <int i>
  static __device__ std::uint32_t with_words(std::uint32_t before, const std::uint32_t* a,
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
  steady.outside = steady.base + steady.minus_first;
  steady.minus_next = next * both;
  steady.minus_next_each = Kind::kTwo ? (next & 0xFFFFU) * both : next;
  steady.padding = static_cast<std::uint32_t>(letters) * (Kind::kTwo ? 0x101U : 1U);
  return steady;
}

template <>
__device__ inline Steady steady_of<PairOfHalves>(const Numbers& numbers, int letters,
                                                 std::uint32_t one) {
  Steady steady = steady_of<Pair>(numbers, letters, one);
  steady.minus_first = PairOfHalves::half_of(-numbers.first) * 0x10001U;
  steady.minus_next = PairOfHalves::half_of(-numbers.next) * 0x10001U;
  steady.outside = steady.minus_first;
  return steady;
}

}  // namespace rackproof::align

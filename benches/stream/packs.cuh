#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "benches/kit/cuda/ptx.cuh"

namespace rackproof::stream {

template <int kWidth>
struct RawOf;
template <>
struct RawOf<4> {
  using Type = unsigned;
};
template <>
struct RawOf<8> {
  using Type = unsigned long long;
};
template <>
struct RawOf<16> {
  using Type = ulonglong2;
};
template <>
struct RawOf<32> {
  using Type = ulonglong4_32a;
};

/// Elements that one load or store moves.
template <class T, int kWidth>
struct Pack {
  static constexpr int kCount = kWidth / static_cast<int>(sizeof(T));
  using Raw = typename RawOf<kWidth>::Type;
  union {
    Raw raw;
    T values[kCount];
  };

  __device__ Pack() {}
  __device__ static Pack load(const T* base, std::int64_t place) {
    Pack pack;
    pack.raw = reinterpret_cast<const Raw*>(base)[place];
    return pack;
  }
  /// Of what the kernel does not write, past the caches as far as that can be had.
  __device__ static Pack load_once(const T* base, std::int64_t place) {
    Pack pack;
    pack.raw = kit::cuda::load_once(reinterpret_cast<const Raw*>(base) + place);
    return pack;
  }
  __device__ void store(T* base, std::int64_t place) const {
    reinterpret_cast<Raw*>(base)[place] = raw;
  }
};

}  // namespace rackproof::stream

#include <algorithm>

#include "benches/kit/cuda/launch.cuh"
#include "benches/kit/product/device_compare.hpp"
#include "benches/kit/product/formats.hpp"

namespace rackproof::product {
namespace {

constexpr int kThreads = 256;
// Independent loads of each array in one thread: 128 bytes in flight a thread, 128 KiB a
// multiprocessor with the 1024 threads that its registers hold.
constexpr int kUnroll = 4;
constexpr std::int64_t kWordsPerBlock = std::int64_t{kThreads} * kUnroll;

__device__ void add(unsigned long long* to, unsigned long long amount) { atomicAdd(to, amount); }

__device__ void note(Findings* findings, std::uint64_t label, int wrong, std::int64_t element,
                     std::uint64_t got, std::uint64_t want) {
  add(&findings->wrong, static_cast<unsigned long long>(wrong));
  if (atomicCAS(&findings->claimed, 0ULL, 1ULL) != 0) return;
  findings->label = label;
  findings->element = static_cast<unsigned long long>(element);
  findings->got = got;
  findings->want = want;
}

// Rarely taken, and kept out of line so that it costs the loop no registers.
[[gnu::noinline]] __device__ void note_word(Findings* findings, std::uint64_t label, uint4 got,
                                            uint4 want, std::int64_t word, int element_bytes) {
  const WordDifference found = word_difference(&got, &want, word, element_bytes);
  note(findings, label, found.wrong, found.first, found.got, found.want);
}

__device__ bool differ(const uint4& a, const uint4& b) {
  return ((a.x ^ b.x) | (a.y ^ b.y) | (a.z ^ b.z) | (a.w ^ b.w)) != 0;
}

__global__ void __launch_bounds__(kThreads)
    compare(const uint4* __restrict__ got, const uint4* __restrict__ want, std::int64_t words,
            int element_bytes, std::uint64_t label, Findings* findings) {
  const std::int64_t from = std::int64_t{blockIdx.x} * kWordsPerBlock + threadIdx.x;
  uint4 a[kUnroll];
  uint4 b[kUnroll];
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    const std::int64_t word = from + i * kThreads;
    const bool inside = word < words;
    a[i] = inside ? got[word] : uint4{};
    b[i] = inside ? want[word] : uint4{};
  }
#pragma unroll
  for (int i = 0; i < kUnroll; ++i) {
    if (differ(a[i], b[i])) {
      note_word(findings, label, a[i], b[i], from + i * kThreads, element_bytes);
    }
  }
}

// What is left behind the last whole 16 bytes: fewer than 8 elements, one thread.
__global__ void compare_rest(const void* got, const void* want, std::int64_t first,
                             std::int64_t elements, int element_bytes, std::uint64_t label,
                             Findings* findings) {
  for (std::int64_t i = first; i < elements; ++i) {
    const std::uint64_t a = element_bits(got, i, element_bytes);
    const std::uint64_t b = element_bits(want, i, element_bytes);
    if (a != b) note(findings, label, 1, i, a, b);
  }
}

__device__ std::uint64_t sum_of_block(std::uint64_t value) {
  RACKPROOF_SHARED(std::uint64_t, sums, kThreads / 32);
  for (int lane = 16; lane > 0; lane /= 2) value += __shfl_down_sync(0xFFFFFFFFU, value, lane);
  if (threadIdx.x % 32 == 0) sums[threadIdx.x / 32] = value;
  __syncthreads();
  std::uint64_t all = 0;
  if (threadIdx.x == 0) {
    for (const std::uint64_t sum : sums) all += sum;
  }
  return all;
}

__global__ void __launch_bounds__(kThreads)
    digest(const ulonglong2* __restrict__ data, std::int64_t words, unsigned long long* sum) {
  std::uint64_t mine = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < words; i += step) {
    const ulonglong2 pair = data[i];
    mine += digest_term(pair.x, static_cast<std::uint64_t>(2 * i));
    mine += digest_term(pair.y, static_cast<std::uint64_t>(2 * i + 1));
  }
  const std::uint64_t all = sum_of_block(mine);
  if (threadIdx.x == 0) add(sum, all);
}

// The bytes behind the last whole 16, as up to two words.
__global__ void digest_rest(const std::uint8_t* data, std::int64_t first, std::int64_t bytes,
                            unsigned long long* sum) {
  for (std::int64_t at = first; at < bytes; at += 8) {
    std::uint64_t word = 0;
    for (std::int64_t i = at; i < bytes && i < at + 8; ++i) {
      word |= static_cast<std::uint64_t>(data[i]) << (8 * (i - at));
    }
    add(sum, digest_term(word, static_cast<std::uint64_t>(at / 8)));
  }
}

template <class T>
__global__ void __launch_bounds__(kThreads)
    count_not_finite(const T* data, std::int64_t elements, unsigned long long* count) {
  std::uint64_t mine = 0;
  const std::int64_t step = std::int64_t{gridDim.x} * kThreads;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kThreads + threadIdx.x; i < elements;
       i += step) {
    mine += not_finite(data[i]) ? 1 : 0;
  }
  const std::uint64_t all = sum_of_block(mine);
  if (threadIdx.x == 0 && all != 0) add(count, all);
}

__global__ void flip(std::uint8_t* byte, int bit) {
  *byte = static_cast<std::uint8_t>(*byte ^ (1U << bit));
}

unsigned some_blocks(std::int64_t items) {
  constexpr std::int64_t kMost = 8192;
  return static_cast<unsigned>(
      std::clamp<std::int64_t>((items + kThreads - 1) / kThreads, 1, kMost));
}

template <class T>
void count(const void* data, std::int64_t elements, std::uint64_t* sum,
           const kit::cuda::Stream& stream) {
  kit::cuda::launch(count_not_finite<T>, {some_blocks(elements), kThreads, 0, stream.get()},
                    static_cast<const T*>(data), elements,
                    reinterpret_cast<unsigned long long*>(sum));
}

}  // namespace

void compare_async(const void* got, const void* want, std::int64_t elements, int element_bytes,
                   std::uint64_t label, Findings* findings, const kit::cuda::Stream& stream) {
  const std::int64_t words = elements * element_bytes / 16;
  if (words > 0) {
    const std::int64_t blocks = (words + kWordsPerBlock - 1) / kWordsPerBlock;
    kit::cuda::launch(compare, {static_cast<unsigned>(blocks), kThreads, 0, stream.get()},
                      static_cast<const uint4*>(got), static_cast<const uint4*>(want), words,
                      element_bytes, label, findings);
  }
  const std::int64_t done = words * 16 / element_bytes;
  if (done == elements) return;
  kit::cuda::launch(compare_rest, {1, 1, 0, stream.get()}, got, want, done, elements, element_bytes,
                    label, findings);
}

void digest_async(const void* data, std::int64_t bytes, std::uint64_t* sum,
                  const kit::cuda::Stream& stream) {
  auto* const to = reinterpret_cast<unsigned long long*>(sum);
  const std::int64_t words = bytes / 16;
  if (words > 0) {
    kit::cuda::launch(digest, {some_blocks(words), kThreads, 0, stream.get()},
                      static_cast<const ulonglong2*>(data), words, to);
  }
  if (words * 16 == bytes) return;
  kit::cuda::launch(digest_rest, {1, 1, 0, stream.get()}, static_cast<const std::uint8_t*>(data),
                    words * 16, bytes, to);
}

void count_not_finite_async(const void* data, Result type, std::int64_t elements,
                            std::uint64_t* sum, const kit::cuda::Stream& stream) {
  switch (type) {
    case Result::kFp64:
      return count<double>(data, elements, sum, stream);
    case Result::kFp32:
      return count<float>(data, elements, sum, stream);
    case Result::kBf16:
      return count<Bf16>(data, elements, sum, stream);
    case Result::kFp16:
      return count<Fp16>(data, elements, sum, stream);
    case Result::kInt32:
      return;
  }
}

void flip_async(void* byte, int bit, const kit::cuda::Stream& stream) {
  kit::cuda::launch(flip, {1, 1, 0, stream.get()}, static_cast<std::uint8_t*>(byte), bit);
}

}  // namespace rackproof::product

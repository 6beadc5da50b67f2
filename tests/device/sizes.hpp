#pragma once

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

// How much the tests of this folder do: on a GPU, or where a CPU plays one (RACKPROOF_CUDA=HOST)
// and takes tens of nanoseconds for each access of each thread. What is tried is the same.
namespace rackproof::device_tests {

#if defined(RACKPROOF_CUDA_HOST)
inline constexpr bool kOnHost = true;
#else
inline constexpr bool kOnHost = false;
#endif

struct Sizes {
  std::int64_t stream_bytes;  ///< of an array
  int stream_rounds;
  std::int64_t copy_words;   ///< of the copying kernel's test
  std::int64_t copy_bytes;   ///< of one measured copy
  std::int64_t local_bytes;  ///< of a copy within a device
  std::int64_t pattern_words;
  std::int64_t collective_elements;
  std::int64_t collective_stride;  ///< bytes
  const char* collective_iterations;
  const char* collective_all;   ///< bytes of the largest operation of every type
  const char* collective_most;  ///< of one type
  const char* flipped_bytes;    ///< of the operation that gets a wrong bit
  std::int64_t flipped_element;
  std::int64_t fault_rows;  ///< of the product that gets every fault
  std::int64_t fault_columns;
  std::int64_t fault_depth;
  std::int64_t shape;  ///< of the products that gemm measures
  std::int64_t burn_size;
  std::int64_t burn_depth;
  std::size_t burn_memory;
  std::size_t burn_samples;  ///< at least, of a burn of a second
  double burn_fraction;      ///< of the free memory; a product has 64 MiB of workspace
  // What no device of ours fails to reach. The time that a CPU takes is nobody's rate.
  double least_flops;
  double least_bytes_per_second;
  double most_latency;
  double least_overlap;
};

// clang-format off
inline constexpr Sizes kOnDevice = {
    7 << 20, 3, 1 << 21, 32 << 20, 512 << 20, 3'000'001, 100'000, 1 << 20, "20", "1M", "64M", "16M", 1'234'567,
    128, 192, 1024, 1024, 1024, 4096, std::size_t{64} << 20, 3, 0.05, 1e9, 1e8, 1e-4, 0.5};
inline constexpr Sizes kOnCpu = {
    512 << 10, 1, 1 << 16, 64 << 10, 512 << 10, 70'001, 3'000, 1 << 15, "2", "1K", "64K", "64K", 12'345,
    64, 96, 128, 256, 128, 256, std::size_t{1} << 20, 1, 0.14, 0, 0, 1e6, -1};
// clang-format on
inline constexpr const Sizes& kSizes = kOnHost ? kOnCpu : kOnDevice;

/// Rows, columns and depth of products that must be exact.
inline std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t>> product_shapes() {
  if (kOnHost) return {{128, 128, 128}, {96, 160, 1024}, {64, 32, 4096}};
  return {
      {128, 128, 128}, {256, 384, 1024}, {160, 96, 8192}, {128, 128, 32768}, {1024, 1024, 4096}};
}

}  // namespace rackproof::device_tests

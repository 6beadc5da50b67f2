#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

namespace rackproof::device_tests {

/// What one call of each function made of three words.
struct Made {
  std::uint32_t max3 = 0;
  std::uint32_t add_max = 0;
  std::int32_t max3_of_32 = 0;
  std::int32_t add_max_of_32 = 0;
  std::uint32_t bytes = 0;          ///< of the first two, named by the third
  std::uint32_t larger = 0;         ///< of the first two, as floating point
  std::uint32_t sum = 0;            ///< of those
  std::uint32_t sum_from_zero = 0;  ///< and 0 where it is less
};

/// Queues what makes of words a[i], b[i] and c[i] the place i of `made`.
void queue_words(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* c,
                 std::int64_t count, Made* made, cudaStream_t stream);

/// What each lane of a warp got of the others, that bring ten times their number.
struct Got {
  int from_third = 0;           ///< from lane 3
  int from_second_of_four = 0;  ///< from lane 1 of its group of four
  int above_of_eight = 0;       ///< from one above in its group of eight
  int five_above = 0;           ///< from five above in the warp
  int below_of_four = 0;        ///< from one below in its group of four
};

/// Queues what fills 32 of them.
void queue_shuffles(Got* got, cudaStream_t stream);

}  // namespace rackproof::device_tests

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "benches/align/cuda_plan.hpp"

namespace rackproof::align {

/// What one strip of columns hands to the next in one row.
struct alignas(8) Edge {
  std::uint32_t corner;  ///< the cell in the last column, less what a gap costs first
  std::uint32_t gap;     ///< the best that ends there in a gap of the subject
};

/// What the kernels need to know. Pointers are those of the device.
struct DeviceTask {
  const std::uint8_t* query = nullptr;
  int columns = 0;                      ///< residues of the query
  const std::int8_t* matrix = nullptr;  ///< Matrix::scores
  int letters = 0;                      ///< of the alphabet; the next one is padding
  Numbers numbers;
  const std::uint16_t* rows = nullptr;   ///< as pack_rows() writes them
  std::int64_t row_count = 0;            ///< how many there are
  std::int64_t longest = 0;              ///< and how many the longest pair has
  const std::int64_t* begins = nullptr;  ///< Packed::begins
  Edge* edges[2] = {};                   ///< of the strips before, in turns
  std::int64_t edge_rows = 0;            ///< in each of the two
  std::int32_t* scores = nullptr;        ///< of each place
  std::int32_t* again = nullptr;         ///< places whose scores need 32 bits
  std::int64_t places = 0;               ///< how many there are
  unsigned long long* again_count = nullptr;
};

/// Queues the alignment of some pairs; there is an edge for each of their rows where the query is
/// longer than the tile. Scores that do not fit into 16 bits are left out, and their places are put
/// behind `again`.
void queue_pairs(const Way& way, const DeviceTask& task, const Batch& batch, cudaStream_t stream);

/// Queues the alignment in 32 bits of those; each of `blocks` has edges for the longest pair.
void queue_again(const DeviceTask& task, unsigned blocks, cudaStream_t stream);

/// Queues adding digest_of() of each word of some memory to `sum`; `bytes` a multiple of 8.
void queue_digest(const void* from, std::size_t bytes, unsigned long long* sum, unsigned blocks,
                  cudaStream_t stream);

}  // namespace rackproof::align

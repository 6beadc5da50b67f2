#pragma once

#include <cstdint>

#include "benches/kit/host_device.hpp"

/// Where the scales of blocks lie (the layout that cuBLASLt's scale modes VEC16_UE4M3 and
/// VEC32_UE8M0 take, cuBLAS documentation, "1D block scaling factors layout"): one byte a scale, in
/// tiles of 128 rows by 4 blocks; tiles follow each other along the blocks first.
namespace rackproof::product {

inline constexpr std::int64_t kTileRows = 128;
inline constexpr std::int64_t kTileBlocks = 4;

/// Offset of the scale of block `block` of row `row`, in a matrix of `blocks` blocks a row.
RACKPROOF_HD inline std::int64_t scale_offset(std::int64_t row, std::int64_t block,
                                              std::int64_t blocks) {
  const std::int64_t tiles_across = (blocks + kTileBlocks - 1) / kTileBlocks;
  const std::int64_t tile = row / kTileRows * tiles_across + block / kTileBlocks;
  return tile * kTileRows * kTileBlocks + row % 32 * 16 + row % kTileRows / 32 * 4 +
         block % kTileBlocks;
}

/// Bytes of all scales, whole tiles.
RACKPROOF_HD inline std::int64_t block_scale_bytes(std::int64_t rows, std::int64_t blocks) {
  return (rows + kTileRows - 1) / kTileRows * kTileRows *
         ((blocks + kTileBlocks - 1) / kTileBlocks * kTileBlocks);
}

}  // namespace rackproof::product

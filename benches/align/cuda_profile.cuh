#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "benches/align/cuda_kernels.hpp"
#include "benches/kit/host_device.hpp"

// The scores of a strip of the query in shared memory.
namespace rackproof::align {

inline constexpr int kWarp = 32;
inline constexpr int kPhase = 128;  // bytes that shared memory gives at a time

RACKPROOF_HD constexpr int larger(int a, int b) { return a > b ? a : b; }
RACKPROOF_HD constexpr int smaller(int a, int b) { return a < b ? a : b; }

// Scores of the query's columns in shared memory, of the first columns of a lane in bytes and of
// the others in words: of each letter, in pieces that a lane loads at once, those of all lanes side
// by side. Lanes that load at the same time are in different banks, whatever their letters are;
// where a group is smaller than those, each has its own copy.
template <class Kind, int kLanes, int kColumns, int kByteColumns>
struct Profile {
  static constexpr int kOfLane = kByteColumns + 4 * (kColumns - kByteColumns);  // bytes
  static constexpr int kPiece = kOfLane % 16 == 0 ? 16 : kOfLane % 8 == 0 ? 8 : 4;
  static constexpr int kPieces = kOfLane / kPiece;
  static constexpr int kBytePieces = kByteColumns / kPiece;
  static constexpr int kSlots = larger(kLanes, kPhase / kPiece);
  static constexpr int kLetter = kSlots * kOfLane;
  static constexpr int kBytes = kMostLetters * kLetter;
  static_assert(kByteColumns % kPiece == 0 && kSlots <= kWarp && kBytes <= 48 * 1024);

  static constexpr __device__ int columns_of(int piece) {
    return piece < kBytePieces ? kPiece : kPiece / 4;
  }
  static constexpr __device__ int first_of(int piece) {
    return piece < kBytePieces ? piece * kPiece
                               : kByteColumns + (piece - kBytePieces) * (kPiece / 4);
  }

  static __device__ std::uint32_t entry(const DeviceTask& task, int letter, int column) {
    if (letter >= task.letters || column >= task.columns) return 0;
    const int own = task.query[column];
    // None is, unless the memory of the device has wrong bits.
    if (own >= task.letters) return 0;
    return Kind::entry(task.matrix[own * kRow + letter] + task.numbers.first);
  }

  static __device__ void fill(const DeviceTask& task, int strip, std::uint32_t* table) {
    constexpr int kPieceWords = kPiece / 4;
    constexpr int kWords = kBytes / 4;
    for (int i = static_cast<int>(threadIdx.x); i < kWords; i += static_cast<int>(blockDim.x)) {
      const int letter = i / (kLetter / 4);
      const int piece = i % (kLetter / 4) / (kSlots * kPieceWords);
      const int lane = i / kPieceWords % kSlots % kLanes;
      const int in_word = piece < kBytePieces ? 4 : 1;
      const int column =
          (strip * kLanes + lane) * kColumns + first_of(piece) + i % kPieceWords * in_word;
      std::uint32_t word = 0;
      for (int k = 0; k < in_word; ++k) word |= entry(task, letter, column + k) << (8 * k);
      table[i] = word;
    }
  }

  static __device__ void load(const unsigned char* from, std::uint32_t (&to)[kPiece / 4]) {
    if constexpr (kPiece == 16) {
      const uint4 all = *reinterpret_cast<const uint4*>(from);
      to[0] = all.x;
      to[1] = all.y;
      to[2] = all.z;
      to[3] = all.w;
    } else if constexpr (kPiece == 8) {
      const uint2 all = *reinterpret_cast<const uint2*>(from);
      to[0] = all.x;
      to[1] = all.y;
    } else {
      to[0] = *reinterpret_cast<const std::uint32_t*>(from);
    }
  }
};

}  // namespace rackproof::align

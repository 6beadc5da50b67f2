#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/stream/values.hpp"

namespace rackproof::stream {

/// What the command line of stream-cuda asked for; 0 lets the bench choose.
struct CudaSettings {
  std::string device;
  std::vector<std::string> types = {"double"};
  std::int64_t elements = 0;
  std::int64_t size = 0;
  std::int64_t iterations = 100;
  std::int64_t search_turns = 5;
  std::string variant = "both";
};

/// How a kernel walks over the arrays.
enum class Walk {
  kElement,  ///< one element a thread: the plain method, as BabelStream's
  kTile,     ///< one tile a block, as many blocks as tiles
  kStride,   ///< blocks that stay and take every so-many-th tile
  kBulk,     ///< the same, tiles fetched into shared memory by bulk copies (compute capability 9.0)
};

/// One way to run a kernel.
struct Way {
  Walk walk = Walk::kElement;
  int width = 0;             ///< bytes of one load; 0 for kElement: the element
  int unroll = 1;            ///< loads of each array in flight in a thread; stages for kBulk
  int threads = 1024;        ///< of a block
  int blocks_per_sm = 0;     ///< of walks that stay, as far as so many run at once; 0: as many
  int tile_bytes = 0;        ///< of each array, of kBulk
  bool once = false;         ///< of kTile: loads that stay in no cache
  bool bulk_stores = false;  ///< of kBulk: results go out by bulk copies too

  bool operator==(const Way&) const = default;
};

/// A word that tells ways apart: "element-1024t", "tile-4x16B-512t", "tile-4x16B-512t-once",
/// "stride-4x16B-512t-2b", "bulk-8KiB-4s-256t-3b", "bulk-8KiB-4s-256t-3b-stores"; t are threads of
/// a block, b blocks of a multiprocessor (none: as many as run at once), s stages.
std::string name_of(const Way& way);

/// Bytes of a tile of one array: what the size of an array has to be a multiple of. `element_bytes`
/// counts for kElement alone.
std::int64_t tile_bytes_of(const Way& way, std::int64_t element_bytes);

/// The most stages of a way with bulk copies.
inline constexpr int kMostStages = 8;

/// What the choice of ways and sizes depends on.
struct CudaMachine {
  int major = 0;  ///< compute capability
  std::int64_t l2_bytes = 0;
  std::int64_t free_bytes = 0;
  std::int64_t shared_bytes = 0;  ///< the most that a block can ask for
};

/// The ways that this device can run and that have been seen to win somewhere; the first one is the
/// plain method.
std::vector<Way> ways_for(const CudaMachine& machine);

/// The same for the dot product, whose blocks all stay.
std::vector<Way> dot_ways_for(const CudaMachine& machine);

/// Doubles that a dot product leaves behind, one a block; at most this many.
inline constexpr int kDotBlocks = 4096;
inline constexpr int kDotThreads = 512;  ///< of a block
/// Blocks of a dot product: one wave, of as many as a multiprocessor runs at once.
int dot_blocks(int at_once, int multiprocessors);

/// Every array is a multiple of this many bytes, so that no kernel has a rest to care for.
inline constexpr std::int64_t kGranuleBytes = std::int64_t{1} << 20;
/// Each array holds at least this many times the L2 cache.
inline constexpr std::int64_t kL2Multiple = 4;
/// What an array holds when nothing is asked for: 2^28 doubles, the size of the published figures.
inline constexpr std::int64_t kUsualBytes = std::int64_t{1} << 31;

/// Elements of each of three arrays, a multiple of the granule (a wish is rounded up). Throws
/// UsageError for a wish below 4 times L2 or above what is free, which it names; Unavailable when
/// the device has too little free memory for any size that obeys.
std::int64_t choose_cuda_elements(std::int64_t wish, std::int64_t element_bytes,
                                  const CudaMachine& machine);

}  // namespace rackproof::stream

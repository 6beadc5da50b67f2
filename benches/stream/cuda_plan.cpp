#include "benches/stream/cuda_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "benches/kit/errors.hpp"

namespace rackproof::stream {
namespace {

// Bytes on their way at once are what counts: 192 KiB a multiprocessor where a kernel reads two
// arrays and the device has room for that many, half of it where it reads one.
void add_bulk_ways(const CudaMachine& machine, std::vector<Way>& ways) {
  struct Shape {
    int tile_bytes;
    int stages;
    int blocks_per_sm;
  };
  constexpr std::array<Shape, 6> kShapes{
      {{4096, 4, 6}, {4096, 8, 3}, {8192, 4, 3}, {8192, 6, 2}, {16384, 2, 4}, {16384, 3, 2}}};
  for (const Shape& shape : kShapes) {
    if (2 * shape.stages * shape.tile_bytes > machine.shared_bytes) continue;
    for (const bool stores : {false, true}) {
      ways.push_back({Walk::kBulk, 16, shape.stages, 256, shape.blocks_per_sm, shape.tile_bytes,
                      false, stores});
    }
  }
}

}  // namespace

std::string name_of(const Way& way) {
  switch (way.walk) {
    case Walk::kElement:
      return fmt::format("element-{}t", way.threads);
    case Walk::kTile:
      return fmt::format("tile-{}x{}B-{}t{}", way.unroll, way.width, way.threads,
                         way.once ? "-once" : "");
    case Walk::kStride:
      return fmt::format("stride-{}x{}B-{}t{}", way.unroll, way.width, way.threads,
                         way.blocks_per_sm > 0 ? fmt::format("-{}b", way.blocks_per_sm) : "");
    case Walk::kBulk:
      return fmt::format("bulk-{}KiB-{}s-{}t-{}b{}", way.tile_bytes / 1024, way.unroll, way.threads,
                         way.blocks_per_sm, way.bulk_stores ? "-stores" : "");
  }
  return "";
}

std::int64_t tile_bytes_of(const Way& way, std::int64_t element_bytes) {
  if (way.walk == Walk::kBulk) return way.tile_bytes;
  const std::int64_t width = way.walk == Walk::kElement ? element_bytes : way.width;
  return width * way.unroll * way.threads;
}

std::vector<Way> ways_for(const CudaMachine& machine) {
  std::vector<Way> ways = {{Walk::kElement, 0, 1, 1024, 0}};
  std::vector<int> widths = {16};
  // Loads of 32 bytes came with compute capability 10.0; older devices would do two of 16.
  if (machine.major >= 10) widths.push_back(32);
  for (const int width : widths) {
    for (const int unroll : {1, 2, 4, 8}) {
      for (const int threads : {256, 512}) ways.push_back({Walk::kTile, width, unroll, threads, 0});
    }
    for (const int unroll : {1, 2, 4}) {
      for (const int threads : {256, 512}) {
        ways.push_back({Walk::kTile, width, unroll, threads, 0, 0, true});
      }
    }
    for (const int unroll : {2, 4}) {
      for (const int blocks : {2, 4}) {
        ways.push_back({Walk::kStride, width, unroll, 512, blocks});
      }
    }
  }
  if (machine.major >= 9) add_bulk_ways(machine, ways);
  return ways;
}

std::vector<Way> dot_ways_for(const CudaMachine& machine) {
  std::vector<Way> ways = {{Walk::kElement, 0, 1, kDotThreads, 0},
                           {Walk::kStride, 16, 4, kDotThreads, 0}};
  if (machine.major >= 10) ways.push_back({Walk::kStride, 32, 4, kDotThreads, 0});
  return ways;
}

int dot_blocks(int at_once, int multiprocessors) {
  return std::clamp(at_once * multiprocessors, 1, kDotBlocks);
}

std::int64_t choose_cuda_elements(std::int64_t wish, std::int64_t element_bytes,
                                  const CudaMachine& machine) {
  const std::int64_t granule = kGranuleBytes / element_bytes;
  const auto round_up = [&](std::int64_t n) { return (n + granule - 1) / granule * granule; };
  const std::int64_t least = round_up(kL2Multiple * machine.l2_bytes / element_bytes);
  // The driver keeps some memory back for itself.
  const auto room = static_cast<std::int64_t>(0.95 * static_cast<double>(machine.free_bytes));
  const std::int64_t most = room / (3 * element_bytes) / granule * granule;
  if (wish > 0) {
    if (wish < kL2Multiple * machine.l2_bytes / element_bytes) {
      throw kit::UsageError(fmt::format(
          "{} elements ({} B an array) would be measured in the L2 cache: an array is at least {} "
          "times the cache ({} B), that is {} elements",
          wish, wish * element_bytes, kL2Multiple, machine.l2_bytes, least));
    }
    if (wish > most) {
      throw kit::UsageError(
          fmt::format("three arrays of {} elements ({} B each) do not fit: {} B of device memory "
                      "are free",
                      wish, wish * element_bytes, machine.free_bytes));
    }
    return round_up(wish);
  }
  if (least > most) {
    throw kit::Unavailable(
        fmt::format("three arrays of {} B each, {} times the L2 cache, do not fit: {} B of device "
                    "memory are free",
                    least * element_bytes, kL2Multiple, machine.free_bytes));
  }
  return std::clamp(kUsualBytes / element_bytes, least, most);
}

}  // namespace rackproof::stream

#include "benches/stream/cuda_plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "benches/kit/errors.hpp"

namespace rackproof::stream {

std::string name_of(const Way& way) {
  switch (way.walk) {
    case Walk::kElement:
      return fmt::format("element a thread, {} threads", way.threads);
    case Walk::kTile:
      return fmt::format("tile of {} x {} B, {} threads", way.unroll, way.width, way.threads);
    case Walk::kStride:
      return fmt::format("stride of {} x {} B, {} threads, {} blocks an SM", way.unroll, way.width,
                         way.threads, way.blocks_per_sm);
    case Walk::kBulk:
      return fmt::format("bulk copies, {} stages, {} threads, {} blocks an SM", way.unroll,
                         way.threads, way.blocks_per_sm);
  }
  return "";
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
    for (const int unroll : {2, 4}) {
      for (const int blocks : {2, 4}) {
        ways.push_back({Walk::kStride, width, unroll, 512, blocks});
      }
    }
  }
  if (machine.major >= 9) {
    ways.push_back({Walk::kBulk, 16, 4, 256, 3});
    ways.push_back({Walk::kBulk, 16, 6, 256, 2});
  }
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

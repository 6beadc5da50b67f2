#include "benches/stream/cuda_plan.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "benches/kit/errors.hpp"
#include "tests/unit/kit/lines.hpp"

using namespace rackproof;
using namespace rackproof::stream;

namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kDeviceGiB = std::int64_t{1} << 30;

// An H200 and what is free on it.
CudaMachine hopper() { return {9, 60 * kMiB, 139 * kDeviceGiB, 227 * 1024}; }

std::string device_refusal(std::int64_t wish, const CudaMachine& machine) {
  try {
    choose_cuda_elements(wish, 8, machine);
  } catch (const kit::UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("arrays on a device are two gibibytes when nothing is asked for") {
  CHECK(choose_cuda_elements(0, 8, hopper()) * 8 == 2 * kDeviceGiB);
  CHECK(choose_cuda_elements(0, 4, hopper()) * 4 == 2 * kDeviceGiB);
}

TEST_CASE("arrays on a device hold at least four times the L2 cache") {
  const CudaMachine large_cache{10, kDeviceGiB, 100 * kDeviceGiB, 0};
  CHECK(choose_cuda_elements(0, 8, large_cache) * 8 == 4 * kDeviceGiB);
  const std::string why = device_refusal(1000, hopper());
  CHECK(kit::has(why, "1000 elements (8000 B an array) would be measured in the L2 cache"));
  CHECK(kit::has(why, "that is 31457280 elements"));
  CHECK(choose_cuda_elements(31457280, 8, hopper()) == 31457280);
}

TEST_CASE("what does not fit a device is refused with what is free") {
  const std::string why = device_refusal(10 * kDeviceGiB, hopper());
  CHECK(kit::has(why, "do not fit"));
  CHECK(kit::has(why, "149250113536 B of device memory are free"));
  CHECK_THROWS_AS(choose_cuda_elements(0, 8, {9, 60 * kMiB, 700 * kMiB, 0}), kit::Unavailable);
}

TEST_CASE("a small device gets what fits") {
  const std::int64_t count = choose_cuda_elements(0, 8, {8, 4 * kMiB, 4 * kDeviceGiB, 0});
  CHECK(count * 8 >= 16 * kMiB);
  CHECK(3 * count * 8 <= 4 * kDeviceGiB);
}

TEST_CASE("every size is a whole number of tiles of every way") {
  for (const std::int64_t wish : {31457281LL, 40000001LL, 123456789LL}) {
    const std::int64_t bytes = 8 * choose_cuda_elements(wish, 8, hopper());
    CHECK(bytes >= 8 * wish);
    for (const Way& way : ways_for({10, 60 * kMiB, kDeviceGiB, 227 * 1024})) {
      CHECK(bytes % tile_bytes_of(way, 8) == 0);
      CHECK(kGranuleBytes % tile_bytes_of(way, 4) == 0);
    }
  }
}

TEST_CASE("a tile is what a block takes at once") {
  CHECK(tile_bytes_of({Walk::kElement, 0, 1, 1024, 0}, 4) == 4096);
  CHECK(tile_bytes_of({Walk::kTile, 32, 8, 512, 0}, 8) == 8 * 32 * 512);
  CHECK(tile_bytes_of({Walk::kBulk, 16, 2, 256, 4, 16384}, 8) == 16384);
}

TEST_CASE("ways have words that say what they are") {
  CHECK(name_of({Walk::kElement, 0, 1, 1024, 0}) == "element-1024t");
  CHECK(name_of({Walk::kTile, 16, 4, 512, 0}) == "tile-4x16B-512t");
  CHECK(name_of({Walk::kTile, 16, 4, 512, 0, 0, true}) == "tile-4x16B-512t-once");
  CHECK(name_of({Walk::kStride, 32, 2, 512, 4}) == "stride-2x32B-512t-4b");
  CHECK(name_of({Walk::kBulk, 16, 2, 256, 4, 16384}) == "bulk-16KiB-2s-256t-4b");
  CHECK(name_of({Walk::kBulk, 16, 8, 256, 3, 4096, false, true}) == "bulk-4KiB-8s-256t-3b-stores");
}

TEST_CASE("tiles of a way with bulk copies fit into the shared memory of a block") {
  // As on devices of compute capability 12.0, and on one that has less still.
  for (const std::int64_t shared : {227 * 1024, 99 * 1024, 70 * 1024, 0}) {
    int bulk = 0;
    for (const Way& way : ways_for({12, 60 * kMiB, kDeviceGiB, shared})) {
      if (way.walk != Walk::kBulk) continue;
      ++bulk;
      CHECK(2 * way.unroll * way.tile_bytes <= shared);
      CHECK(way.unroll <= kMostStages);
      CHECK(way.unroll >= 2);
    }
    CHECK(bulk == (shared >= 96 * 1024 ? 12 : shared > 0 ? 8 : 0));
  }
}

TEST_CASE("a device gets the ways that it can run, the plain one first") {
  for (const int major : {8, 9, 10, 12}) {
    const auto ways = ways_for({major, 60 * kMiB, kDeviceGiB, 99 * 1024});
    REQUIRE_FALSE(ways.empty());
    CHECK(ways.front().walk == Walk::kElement);
    const bool wide = std::any_of(ways.begin(), ways.end(), [](auto& w) { return w.width == 32; });
    const bool bulk =
        std::any_of(ways.begin(), ways.end(), [](auto& w) { return w.walk == Walk::kBulk; });
    CHECK(wide == (major >= 10));
    CHECK(bulk == (major >= 9));
    CHECK(std::any_of(ways.begin(), ways.end(), [](auto& w) { return w.once; }));
    std::set<std::string> names;
    for (const Way& way : ways) names.insert(name_of(way));
    CHECK(names.size() == ways.size());
  }
}

TEST_CASE("a dot product is read in one way for each width of a load") {
  for (const int major : {8, 9, 10}) {
    const auto ways = dot_ways_for({major, 60 * kMiB, kDeviceGiB, 0});
    CHECK(ways.size() == (major < 10 ? 2 : 3));
    CHECK(name_of(ways.front()) == "element-512t");
    CHECK(name_of(ways[1]) == "stride-4x16B-512t");
  }
}

TEST_CASE("a dot product has one wave of blocks, and no more than it has room for sums") {
  CHECK(dot_blocks(3, 132) == 396);
  CHECK(dot_blocks(4, 148) == 592);
  CHECK(dot_blocks(32, 148) == kDotBlocks);
  CHECK(dot_blocks(0, 132) == 1);
}

#include "benches/kit/product/block_scales.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace rackproof::product;

TEST_CASE("scales within a tile lie as the layout says") {
  // 16 bytes hold the four blocks of rows r, r + 32, r + 64 and r + 96.
  CHECK(scale_offset(0, 0, 4) == 0);
  CHECK(scale_offset(0, 3, 4) == 3);
  CHECK(scale_offset(1, 0, 4) == 16);
  CHECK(scale_offset(32, 0, 4) == 4);
  CHECK(scale_offset(96, 2, 4) == 14);
  CHECK(scale_offset(127, 3, 4) == 511);
}

TEST_CASE("tiles follow each other along the blocks first") {
  CHECK(scale_offset(0, 4, 8) == 512);
  CHECK(scale_offset(128, 0, 8) == 1024);
  CHECK(scale_offset(128, 0, 5) == 1024);  // a tile that is not full is whole all the same
}

TEST_CASE("every scale has a place of its own within the memory") {
  for (const auto& [rows, blocks] : {std::pair{1, 1}, {130, 5}, {256, 8}, {300, 3}}) {
    const std::int64_t bytes = block_scale_bytes(rows, blocks);
    std::vector<int> taken(static_cast<std::size_t>(bytes));
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t block = 0; block < blocks; ++block) {
        const std::int64_t at = scale_offset(row, block, blocks);
        REQUIRE(at >= 0);
        REQUIRE(at < bytes);
        REQUIRE(taken[static_cast<std::size_t>(at)]++ == 0);
      }
    }
  }
}

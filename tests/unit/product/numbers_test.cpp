#include "benches/kit/product/numbers.hpp"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "benches/kit/product/pattern.hpp"

using namespace rackproof::product;

TEST_CASE("every number type has a name that leads back to it") {
  CHECK(dtype_names().size() == kAllDtypes.size());
  for (const Dtype dtype : kAllDtypes) {
    CHECK(numbers(dtype).dtype == dtype);
    CHECK(dtype_of(numbers(dtype).name) == dtype);
  }
  CHECK_THROWS_AS(dtype_of("fp8"), std::invalid_argument);
}

TEST_CASE("what a device lacks is said with what it would need") {
  CHECK(lacking(Dtype::kNvfp4, 9, 0) == "nvfp4 needs compute capability 10.0; this device has 9.0");
  CHECK(lacking(Dtype::kFp8, 8, 0) == "fp8_e4m3 needs compute capability 8.9; this device has 8.0");
  CHECK_FALSE(lacking(Dtype::kFp8, 8, 9));
  CHECK_FALSE(lacking(Dtype::kMxfp8, 10, 3));
  CHECK_FALSE(lacking(Dtype::kNvfp4, 12, 0));
  CHECK_FALSE(lacking(Dtype::kFp64, 7, 0));
}

TEST_CASE("bytes of operands and of their scales") {
  CHECK(operand_bytes(Dtype::kFp64, 3, 5) == 120);
  CHECK(operand_bytes(Dtype::kNvfp4, 128, 64) == 4096);
  CHECK(scale_bytes(Dtype::kBf16, 128, 64) == 0);
  CHECK(scale_bytes(Dtype::kFp8, 128, 64) == 4);
  CHECK(scale_bytes(Dtype::kNvfp4, 128, 64) == 512);    // one tile of 128 by 4 blocks
  CHECK(scale_bytes(Dtype::kMxfp8, 129, 160) == 2048);  // 256 rows, 8 blocks
}

TEST_CASE("every pattern has a name that leads back to it") {
  CHECK(pattern_names().size() == 4);
  CHECK(pattern_of("normal") == Pattern::kNormal);
  CHECK(pattern_of("integers") == Pattern::kIntegers);
  CHECK_THROWS_AS(pattern_of("ones"), std::invalid_argument);
}

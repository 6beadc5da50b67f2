#include "benches/steps/device_product.hpp"

#include <catch2/catch.hpp>

using namespace rackproof;
using namespace rackproof::steps;
using product::Dtype;

TEST_CASE("a product passes whole and in part and how often it is made") {
  const auto dtype = GENERATE(Dtype::kFp32, Dtype::kBf16);
  const kit::cuda::Stream stream;
  DeviceProduct product({dtype, 64, 48, 80}, 3, "mlp.down beside the message, ", stream);
  for (const std::int64_t rows : {64, 32}) {
    product.settle(rows, stream);
    CHECK(product.rows() == rows);
    product.poison(stream);
    product.multiply(3, stream);
    product.compare(stream);
    stream.synchronize();
    CHECK(product.fault().wrong == 0);
  }
  CHECK(product.compared() == 2 * (64 + 32) * 48);
}

TEST_CASE("a result that nobody wrote is wrong in every element") {
  const kit::cuda::Stream stream;
  DeviceProduct product({Dtype::kBf16, 64, 48, 80}, 3, "mlp.down beside the message, ", stream);
  product.settle(64, stream);
  product.poison(stream);
  product.compare(stream);
  stream.synchronize();
  const product::Fault fault = product.fault();
  CHECK(fault.wrong == 64 * 48);
  REQUIRE(fault.first);
  CHECK_THAT(fault.first->where, Catch::Contains("mlp.down beside the message, row "));
}

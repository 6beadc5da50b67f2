#include "benches/swing/device_work.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/errors.hpp"
#include "tests/device/sizes.hpp"

namespace rackproof::swing {
namespace {

const std::int64_t kSize = device_tests::kOnHost ? 128 : 4096;

}  // namespace

TEST_CASE("a product is proved before it is a load, and goes on being right") {
  DeviceWork work(kSize, 1);
  CHECK(work.proved().wrong == 0);
  CHECK(work.seconds() > 0);
  const kit::cuda::Stream stream;
  for (std::uint64_t i = 0; i < 4; ++i) work.queue(i, std::nullopt, stream);
  stream.synchronize();
  CHECK(work.findings().wrong == 0);
}

TEST_CASE("a flipped bit of a load is found with its label and element, until it is forgotten") {
  DeviceWork work(kSize, 1);
  const kit::cuda::Stream stream;
  work.queue(1, std::nullopt, stream);
  work.queue(2, kit::Injection{77, 3}, stream);
  work.queue(3, std::nullopt, stream);
  stream.synchronize();
  const product::Findings found = work.findings();
  CHECK(found.wrong == 1);
  CHECK(found.label == 2);
  CHECK(found.element == 77);
  CHECK((found.got ^ found.want) == 1U << 3U);
  work.forget(stream);
  CHECK(work.findings().wrong == 0);
}

TEST_CASE("a size that does not suit is refused") {
  CHECK_THROWS_AS(DeviceWork(65, 1), kit::UsageError);
}

}  // namespace rackproof::swing

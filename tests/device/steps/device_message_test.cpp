#include "benches/steps/device_message.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/reduction/verifiable.hpp"

using namespace rackproof;
using namespace rackproof::steps;
using reduction::Dtype;

namespace {

constexpr std::int64_t kCount = 5000;

}  // namespace

// With one rank the sum is its own input: no library is needed for it.
TEST_CASE("a message that was summed passes and one wrong bit is found in its element") {
  const auto dtype = GENERATE(Dtype::kFloat, Dtype::kBfloat16, Dtype::kHalf);
  const kit::cuda::Stream stream;
  DeviceMessage message(dtype, kCount, 1, 7, stream);
  message.fill(0, 1, stream);
  message.verify(stream);
  stream.synchronize();
  message.take_findings();
  CHECK(message.findings().compared == kCount);
  CHECK(message.findings().wrong == 0);

  message.inject({kCount - 1, 3}, stream);
  message.verify(stream);
  stream.synchronize();
  message.take_findings();
  const MessageFindings& found = message.findings();
  CHECK(found.compared == 2 * kCount);
  CHECK(found.wrong == 1);
  CHECK(found.element == kCount - 1);
  CHECK((found.got ^ found.want) == 8);
}

TEST_CASE("a message that did not take place is wrong") {
  const kit::cuda::Stream stream;
  DeviceMessage message(Dtype::kBfloat16, kCount, 3, 7, stream);
  for (const std::uint64_t number : {1, 2}) {
    message.fill(1, number, stream);
    message.verify(stream);
    stream.synchronize();
    message.take_findings();
    // What a rank brings is the sum by chance, where the others bring nothing.
    CHECK(message.findings().wrong > static_cast<std::int64_t>(number) * kCount * 9 / 10);
  }
}

// With one rank what is gathered and what is scattered is all of it.
TEST_CASE("a message of parts is compared part by part") {
  const auto exchange = GENERATE(Exchange::kAllGather, Exchange::kReduceScatter);
  const kit::cuda::Stream stream;
  DeviceMessage message(Dtype::kBfloat16, kCount, 1, 7, stream, exchange, 0);
  message.fill(0, 1, stream);
  message.verify(stream);
  stream.synchronize();
  message.take_findings();
  CHECK(message.findings().compared == kCount);
  CHECK(message.findings().wrong == 0);
  message.inject({77, 3}, stream);
  message.verify(stream);
  stream.synchronize();
  message.take_findings();
  CHECK(message.findings().wrong == 1);
  CHECK(message.findings().element == 77);
  CHECK((message.findings().got ^ message.findings().want) == 8);
}

TEST_CASE("parts that did not come are wrong, and one's own is not") {
  const kit::cuda::Stream stream;
  DeviceMessage message(Dtype::kBfloat16, 3 * kCount, 3, 7, stream, Exchange::kAllGather, 1);
  message.fill(0, 1, stream);
  message.fill(2, 1, stream);
  message.fill(1, 1, stream);
  message.verify(stream);
  stream.synchronize();
  message.take_findings();
  CHECK(message.findings().compared == 3 * kCount);
  CHECK(message.findings().wrong == 0);
  message.fill(1, 2, stream);
  message.verify(stream);
  stream.synchronize();
  message.take_findings();
  // Those of ranks 0 and 2 are of the message before.
  CHECK(message.findings().wrong > 2 * kCount * 9 / 10);
  CHECK(message.findings().element < kCount);
}

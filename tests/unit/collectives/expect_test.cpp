#include "benches/collectives/expect.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace rackproof::collectives;
using namespace rackproof::reduction;

namespace {

std::vector<Segment> of(Operation operation, int rank) {
  return expected_output(operation, shape_of(operation, 3, 120, 4), rank, 3);
}

}  // namespace

TEST_CASE("what each rank must hold after each operation") {
  using S = std::vector<Segment>;
  CHECK(of(Operation::kAllReduce, 1) == S{{kAllRanks, 0, 0, 30}});
  CHECK(of(Operation::kReduce, 0) == S{{kAllRanks, 0, 0, 30}});
  CHECK(of(Operation::kReduce, 1).empty());
  CHECK(of(Operation::kReduceScatter, 2) == S{{kAllRanks, 20, 0, 10}});
  CHECK(of(Operation::kBroadcast, 0).empty());
  CHECK(of(Operation::kBroadcast, 2) == S{{0, 0, 0, 30}});
  CHECK(of(Operation::kSendRecv, 0) == S{{2, 0, 0, 30}});
  CHECK(of(Operation::kAllGather, 1) == S{{0, 0, 0, 10}, {1, 0, 10, 10}, {2, 0, 20, 10}});
  CHECK(of(Operation::kAllToAll, 1) == S{{0, 10, 0, 10}, {1, 10, 10, 10}, {2, 10, 20, 10}});
}

TEST_CASE("inspection finds each wrong element and says where the first is") {
  constexpr std::int64_t kCount = 5000;  // several chunks
  const Pattern pattern(Dtype::kInt32, std::nullopt, 2, {1, 2});
  const std::vector<Segment> segments{{0, 0, 0, kCount}, {1, 7, kCount, kCount}};
  std::vector<std::int32_t> output(2 * kCount);
  pattern.input(0, 0, kCount, output.data());
  pattern.input(1, 7, kCount, output.data() + kCount);
  const Findings clean = inspect(segments, pattern, Dtype::kInt32, output.data());
  CHECK(clean.compared == 2 * kCount);
  CHECK(clean.wrong == 0);
  CHECK_FALSE(clean.first);

  const std::int32_t right = output[kCount + 4321];
  output[kCount + 4321] ^= 1 << 30;
  output[2 * kCount - 1] ^= 1;
  const Findings found = inspect(segments, pattern, Dtype::kInt32, output.data());
  CHECK(found.wrong == 2);
  REQUIRE(found.first);
  CHECK(found.first->index == kCount + 4321);
  CHECK(found.first->source == 1);
  CHECK(found.first->want == static_cast<std::uint32_t>(right));
  CHECK(found.first->got == static_cast<std::uint32_t>(right ^ (1 << 30)));
}

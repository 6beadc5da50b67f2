#include "benches/collectives/factors.hpp"

#include <catch2/catch.hpp>

using namespace rackproof::collectives;

TEST_CASE("bus factors are those of nccl-tests") {
  CHECK(bus_factor(Operation::kAllReduce, 2) == 1.0);
  CHECK(bus_factor(Operation::kAllReduce, 8) == 2.0 * 7 / 8);
  CHECK(bus_factor(Operation::kAllGather, 8) == 7.0 / 8);
  CHECK(bus_factor(Operation::kReduceScatter, 4) == 0.75);
  CHECK(bus_factor(Operation::kAllToAll, 2) == 0.5);
  CHECK(bus_factor(Operation::kBroadcast, 72) == 1.0);
  CHECK(bus_factor(Operation::kReduce, 72) == 1.0);
  CHECK(bus_factor(Operation::kSendRecv, 2) == 1.0);
}

TEST_CASE("one rank has no bus") {
  for (const auto& text : operation_words()) CHECK(bus_factor(*operation_of(text), 1) == 0.0);
}

TEST_CASE("size is the message for some operations and the whole buffer for others") {
  const Shape reduce = shape_of(Operation::kAllReduce, 4, 4096, 4);
  CHECK(reduce.count == 1024);
  CHECK(reduce.in_count == 1024);
  CHECK(reduce.out_count == 1024);
  CHECK(reduce.size_bytes == 4096);

  const Shape gather = shape_of(Operation::kAllGather, 4, 4096, 4);
  CHECK(gather.count == 256);
  CHECK(gather.in_count == 256);
  CHECK(gather.out_count == 1024);
  CHECK(gather.size_bytes == 4096);

  const Shape scatter = shape_of(Operation::kReduceScatter, 4, 4096, 8);
  CHECK(scatter.count == 128);
  CHECK(scatter.in_count == 512);
  CHECK(scatter.out_count == 128);

  const Shape all = shape_of(Operation::kAllToAll, 4, 4096, 1);
  CHECK(all.count == 1024);
  CHECK(all.in_count == 4096);
  CHECK(all.out_count == 4096);
}

TEST_CASE("a size that cannot be shared is lowered, to one element a rank at least") {
  CHECK(shape_of(Operation::kAllGather, 3, 4096, 4).size_bytes == 4092);
  CHECK(shape_of(Operation::kAllGather, 64, 8, 4).count == 1);
  CHECK(shape_of(Operation::kAllGather, 64, 8, 4).size_bytes == 256);
  CHECK(shape_of(Operation::kAllReduce, 2, 1, 8).size_bytes == 8);
  CHECK(shape_of(Operation::kAllReduce, 2, 15, 8).size_bytes == 8);
}

TEST_CASE("counts have 64 bits") {
  const Shape shape = shape_of(Operation::kAllToAll, 8, std::int64_t{1} << 40, 1);
  CHECK(shape.count == std::int64_t{1} << 37);
  CHECK(shape.in_count == std::int64_t{1} << 40);
}

TEST_CASE("algbw is size over time") {
  const Shape shape = shape_of(Operation::kAllReduce, 2, 1000, 1);
  CHECK(algorithm_bandwidth(shape, 1e-6) == Approx(1e9));
}

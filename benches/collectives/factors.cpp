#include "benches/collectives/factors.hpp"

#include <algorithm>

namespace rackproof::collectives {

Shape shape_of(Operation operation, int ranks, std::int64_t bytes, std::size_t element_bytes) {
  const auto element = static_cast<std::int64_t>(element_bytes);
  const bool by_block = operation == Operation::kAllGather ||
                        operation == Operation::kReduceScatter || operation == Operation::kAllToAll;
  const std::int64_t blocks = by_block ? ranks : 1;
  Shape shape;
  shape.count = std::max<std::int64_t>(1, bytes / (element * blocks));
  shape.size_bytes = shape.count * element * blocks;
  shape.in_count = operation == Operation::kAllGather ? shape.count : shape.count * blocks;
  shape.out_count = operation == Operation::kReduceScatter ? shape.count : shape.count * blocks;
  return shape;
}

double bus_factor(Operation operation, int ranks) {
  if (ranks < 2) return 0;
  const double n = ranks;
  switch (operation) {
    case Operation::kAllReduce:
      return 2 * (n - 1) / n;
    case Operation::kAllGather:
    case Operation::kReduceScatter:
    case Operation::kAllToAll:
      return (n - 1) / n;
    case Operation::kBroadcast:
    case Operation::kReduce:
    case Operation::kSendRecv:
      return 1;
  }
  return 0;
}

double algorithm_bandwidth(const Shape& shape, double seconds) {
  return static_cast<double>(shape.size_bytes) / seconds;
}

}  // namespace rackproof::collectives

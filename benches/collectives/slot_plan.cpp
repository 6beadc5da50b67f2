#include "benches/collectives/slot_plan.hpp"

#include <algorithm>

namespace rackproof::collectives {

std::int64_t slot_stride(std::int64_t bytes) {
  constexpr std::int64_t kUnit = 512;
  return (bytes + kUnit - 1) / kUnit * kUnit;
}

BatchPlan plan_slots(const Shape& shape, std::size_t element_bytes, bool in_place, Launch launch) {
  constexpr std::int64_t kBatchBytes = std::int64_t{256} << 20;
  constexpr std::int64_t kMostSlots = 64;
  constexpr int kSlotsForLead = 8;
  constexpr int kLead = 2;
  // At 450 GB/s, the most that a GPU of 2023 sends, this takes 75 us, of which half a microsecond
  // is less than a hundredth.
  constexpr std::int64_t kIntervalBytes = std::int64_t{32} << 20;
  constexpr std::int64_t kMostAsOne = 31;
  const auto element = static_cast<std::int64_t>(element_bytes);
  const std::int64_t in = slot_stride(shape.in_count * element);
  const std::int64_t out = slot_stride(shape.out_count * element);
  const std::int64_t pair = in_place ? std::max(in, out) : in + out;
  BatchPlan plan;
  plan.slots = static_cast<int>(std::clamp<std::int64_t>(kBatchBytes / pair, 1, kMostSlots));
  plan.lead = launch == Launch::kPlain && plan.slots >= kSlotsForLead ? kLead : 0;
  if (plan.lead == 0) return plan;
  const int timed = plan.slots - plan.lead;
  const auto wanted =
      static_cast<int>(std::clamp<std::int64_t>(kIntervalBytes / shape.size_bytes, 1, kMostAsOne));
  const int intervals = std::max(1, timed / wanted);
  plan.every = timed / intervals;
  plan.slots = plan.lead + intervals * plan.every;
  return plan;
}

InPlaceOffsets in_place_offsets(Operation operation, const Shape& shape, int rank) {
  InPlaceOffsets offsets;
  if (operation == Operation::kAllGather) offsets.in = rank * shape.count;
  if (operation == Operation::kReduceScatter) offsets.out = rank * shape.count;
  return offsets;
}

}  // namespace rackproof::collectives

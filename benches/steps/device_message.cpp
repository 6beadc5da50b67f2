#include "benches/steps/device_message.hpp"

#include <algorithm>

#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/types.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "benches/kit/reduction/verifiable.hpp"

namespace rackproof::steps {
namespace {

constexpr int kAllRanks = -1;

}  // namespace

DeviceMessage::DeviceMessage(reduction::Dtype dtype, std::int64_t count, int ranks,
                             std::uint64_t seed, const kit::cuda::Stream& stream, Exchange exchange,
                             int rank)
    : exchange_(exchange),
      seed_(seed),
      count_(count),
      width_(static_cast<std::int64_t>(reduction::size_of(dtype))),
      part_(exchange == Exchange::kAllReduce ? count : count / ranks),
      memory_(static_cast<std::size_t>(count * width_)),
      parts_(results(rank, ranks)),
      segments_(parts_.size()),
      found_here_(1),
      found_(1) {
  data_.dtype = dtype;
  if (exchange != Exchange::kAllGather) data_.redop = reduction::RedOp::kSum;
  data_.rule = {seed, 0, ranks, {}};
  kit::cuda::copy_async(segments_.data(), parts_.data(), segments_.bytes(), stream);
  stream.synchronize();
}

std::vector<reduction::DeviceSegment> DeviceMessage::results(int rank, int ranks) const {
  const std::int64_t own = rank * part_;
  switch (exchange_) {
    case Exchange::kAllReduce:
      return {{kAllRanks, 0, 0, count_}};
    case Exchange::kReduceScatter:
      return {{kAllRanks, own, own, part_}};
    case Exchange::kAllGather:
      break;
  }
  std::vector<reduction::DeviceSegment> parts;
  for (int source = 0; source < ranks; ++source) {
    parts.push_back({source, 0, source * part_, part_});
  }
  return parts;
}

void DeviceMessage::fill(int rank, std::uint64_t number, const kit::cuda::Stream& stream) {
  data_.rule.seed = reduction::mix(seed_, number);
  const bool gathers = exchange_ == Exchange::kAllGather;
  reduction::fill_async(data_, reduction::Fill::kAll, rank, gathers ? part_ : count_,
                        {at(gathers ? rank * part_ : 0), 0, 1}, stream.get());
}

void DeviceMessage::queue(ncclComm_t group, int rank, const kit::cuda::Stream& stream) {
  const auto part = static_cast<std::size_t>(part_);
  const ncclDataType_t type = kit::nccl::type_of(data_.dtype);
  void* const own = at(rank * part_);
  switch (exchange_) {
    case Exchange::kAllReduce:
      RACKPROOF_NCCL(ncclAllReduce(at(0), at(0), part, type, ncclSum, group, stream.get()));
      return;
    case Exchange::kAllGather:
      RACKPROOF_NCCL(ncclAllGather(own, at(0), part, type, group, stream.get()));
      return;
    case Exchange::kReduceScatter:
      RACKPROOF_NCCL(ncclReduceScatter(at(0), own, part, type, ncclSum, group, stream.get()));
  }
}

void DeviceMessage::inject(const kit::Injection& injection, const kit::cuda::Stream& stream) {
  const reduction::DeviceSegment& part = parts_.front();
  product::inject(injection, at(part.offset), part.count, static_cast<int>(width_), stream);
}

void DeviceMessage::verify(const kit::cuda::Stream& stream) {
  *found_here_.data() = {0, reduction::kNoneWrong};
  kit::cuda::copy_async(found_.data(), found_here_.data(), found_.bytes(), stream);
  reduction::verify_async(data_, segments_.data(), static_cast<int>(parts_.size()), part_,
                          {at(0), 0, 1}, found_.data(), stream.get());
  kit::cuda::copy_async(found_here_.data(), found_.data(), found_.bytes(), stream);
}

void DeviceMessage::take_findings() {
  const reduction::SlotFindings& found = *found_here_.data();
  for (const reduction::DeviceSegment& part : parts_) findings_.compared += part.count;
  findings_.wrong += static_cast<std::int64_t>(found.wrong);
  if (found.wrong == 0 || findings_.element >= 0) return;
  findings_.element = static_cast<std::int64_t>(found.first);
  find_first();
}

// What is and what ought to be at the first wrong element.
void DeviceMessage::find_first() {
  const auto part =
      std::find_if(parts_.begin(), parts_.end(), [&](const reduction::DeviceSegment& one) {
        return findings_.element >= one.offset && findings_.element < one.offset + one.count;
      });
  if (part == parts_.end()) return;
  const std::uint64_t base = reduction::mix(data_.rule.seed, 0);
  const reduction::Pattern pattern(data_.dtype, data_.redop, data_.rule.ranks,
                                   {base, reduction::mix(base, data_.rule.batch)});
  std::uint64_t got = 0;
  std::uint64_t want = 0;
  kit::cuda::copy(&got, at(findings_.element), static_cast<std::size_t>(width_));
  pattern.expected(part->source, part->index + findings_.element - part->offset, 1, &want);
  findings_.got = reduction::bits_at(&got, 0, data_.dtype);
  findings_.want = reduction::bits_at(&want, 0, data_.dtype);
}

}  // namespace rackproof::steps

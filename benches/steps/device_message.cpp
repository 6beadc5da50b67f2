#include "benches/steps/device_message.hpp"

#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/types.hpp"
#include "benches/kit/product/device_proof.hpp"
#include "benches/kit/reduction/verifiable.hpp"

namespace rackproof::steps {
namespace {

constexpr int kAllRanks = -1;

}  // namespace

DeviceMessage::DeviceMessage(reduction::Dtype dtype, std::int64_t count, int ranks,
                             std::uint64_t seed, const kit::cuda::Stream& stream)
    : seed_(seed),
      count_(count),
      width_(static_cast<std::int64_t>(reduction::size_of(dtype))),
      memory_(static_cast<std::size_t>(count * width_)),
      segment_(1),
      found_here_(1),
      found_(1) {
  data_.dtype = dtype;
  data_.redop = reduction::RedOp::kSum;
  data_.rule = {seed, 0, ranks, {}};
  const reduction::DeviceSegment whole{kAllRanks, 0, 0, count};
  kit::cuda::copy_async(segment_.data(), &whole, sizeof(whole), stream);
  stream.synchronize();
}

void DeviceMessage::fill(int rank, std::uint64_t number, const kit::cuda::Stream& stream) {
  data_.rule.seed = reduction::mix(seed_, number);
  reduction::fill_async(data_, reduction::Fill::kAll, rank, count_,
                        {static_cast<char*>(memory_.data()), 0, 1}, stream.get());
}

void DeviceMessage::queue(ncclComm_t group, const kit::cuda::Stream& stream) {
  RACKPROOF_NCCL(ncclAllReduce(memory_.data(), memory_.data(), static_cast<std::size_t>(count_),
                               kit::nccl::type_of(data_.dtype), ncclSum, group, stream.get()));
}

void DeviceMessage::inject(const kit::Injection& injection, const kit::cuda::Stream& stream) {
  product::inject(injection, memory_.data(), count_, static_cast<int>(width_), stream);
}

void DeviceMessage::verify(const kit::cuda::Stream& stream) {
  *found_here_.data() = {0, reduction::kNoneWrong};
  kit::cuda::copy_async(found_.data(), found_here_.data(), found_.bytes(), stream);
  reduction::verify_async(data_, segment_.data(), 1, count_,
                          {static_cast<char*>(memory_.data()), 0, 1}, found_.data(), stream.get());
  kit::cuda::copy_async(found_here_.data(), found_.data(), found_.bytes(), stream);
}

void DeviceMessage::take_findings() {
  const reduction::SlotFindings& found = *found_here_.data();
  findings_.compared += count_;
  findings_.wrong += static_cast<std::int64_t>(found.wrong);
  if (found.wrong == 0 || findings_.element >= 0) return;
  findings_.element = static_cast<std::int64_t>(found.first);
  const std::uint64_t base = reduction::mix(data_.rule.seed, 0);
  const reduction::Pattern pattern(data_.dtype, data_.redop, data_.rule.ranks,
                                   {base, reduction::mix(base, data_.rule.batch)});
  std::uint64_t got = 0;
  std::uint64_t want = 0;
  kit::cuda::copy(&got, static_cast<const char*>(memory_.data()) + findings_.element * width_,
                  static_cast<std::size_t>(width_));
  pattern.expected(kAllRanks, findings_.element, 1, &want);
  findings_.got = reduction::bits_at(&got, 0, data_.dtype);
  findings_.want = reduction::bits_at(&want, 0, data_.dtype);
}

}  // namespace rackproof::steps

#include "benches/pairs/device_area.hpp"

#include <limits>
#include <vector>

#include "benches/kit/errors.hpp"

namespace rackproof::pairs {

namespace pattern = kit::pattern;
using kit::cuda::DeviceBuffer;

DeviceArea::DeviceArea(std::int64_t span) : tallies_(kMostSlots) {
  const auto words = static_cast<std::size_t>(span / 8);
  try {
    sent_ = DeviceBuffer<std::uint64_t>(words);
    received_ = DeviceBuffer<std::uint64_t>(words);
    span_ = span;
  } catch (const kit::UsageError&) {
    // The others must hear of it first: reserve() says it to all.
    sent_ = {};
  }
}

std::uint64_t* DeviceArea::sent(std::int64_t slot, const Batch& batch) const {
  return sent_.data() + slot * batch.stride() / 8;
}

std::uint64_t* DeviceArea::received(std::int64_t slot, const Batch& batch) const {
  return received_.data() + slot * batch.stride() / 8;
}

void DeviceArea::write(std::uint64_t key, const Batch& batch) {
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    pattern::queue_fill(sent(slot, batch), batch.words(),
                        pattern::key_of(key, static_cast<std::uint64_t>(slot)), 0, stream_.get());
  }
  stream_.synchronize();
}

void DeviceArea::poison(std::uint64_t key, const Batch& batch) {
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    pattern::queue_fill(received(slot, batch), batch.words(),
                        pattern::key_of(key, static_cast<std::uint64_t>(slot)), pattern::kPoison,
                        stream_.get());
  }
  stream_.synchronize();
}

Found DeviceArea::compare(std::uint64_t key, const Batch& batch) {
  const auto slots = static_cast<std::size_t>(batch.slots);
  std::vector<pattern::Tally> tallies(slots, {0, std::numeric_limits<unsigned long long>::max()});
  const std::size_t bytes = slots * sizeof(pattern::Tally);
  kit::cuda::copy_async(tallies_.data(), tallies.data(), bytes, stream_);
  for (std::int64_t slot = 0; slot < batch.slots; ++slot) {
    pattern::queue_compare(received(slot, batch), batch.words(),
                           pattern::key_of(key, static_cast<std::uint64_t>(slot)),
                           tallies_.data() + slot, stream_.get());
  }
  kit::cuda::copy_async(tallies.data(), tallies_.data(), bytes, stream_);
  stream_.synchronize();
  Found found;
  found.words.compared = batch.slots * batch.words();
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const pattern::Tally& tally = tallies[slot];
    if (tally.wrong > 0 && found.words.wrong == 0) {
      found.slot = static_cast<std::int64_t>(slot);
      found.words.first = static_cast<std::int64_t>(tally.first);
      const std::uint64_t* const at = received(found.slot, batch) + found.words.first;
      kit::cuda::copy_async(&found.words.got, at, sizeof(*at), stream_);
      stream_.synchronize();
      found.words.want = pattern::word(pattern::key_of(key, slot), found.words.first);
    }
    found.words.wrong += static_cast<std::int64_t>(tally.wrong);
  }
  return found;
}

void DeviceArea::spoil(const kit::Injection& injection, const Batch& batch) {
  const std::int64_t element = injection.element % (batch.slots * batch.words());
  std::uint64_t* const at = received(element / batch.words(), batch) + element % batch.words();
  std::uint64_t value = 0;
  kit::cuda::copy_async(&value, at, sizeof(value), stream_);
  stream_.synchronize();
  kit::flip({0, injection.bit}, &value, 1, sizeof(value));
  kit::cuda::copy_async(at, &value, sizeof(value), stream_);
  stream_.synchronize();
}

}  // namespace rackproof::pairs

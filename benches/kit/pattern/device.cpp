#include "benches/kit/pattern/device.hpp"

#include <limits>

namespace rackproof::kit::pattern {

Difference DeviceComparer::compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key,
                                   const cuda::Stream& stream) {
  Tally tally{0, std::numeric_limits<unsigned long long>::max()};
  // All on one stream: a plain copy from pageable memory may return before it has arrived, and this
  // stream would not wait for it.
  cuda::copy_async(tally_.data(), &tally, sizeof(tally), stream);
  queue_compare(got, words, key, tally_.data(), stream.get());
  cuda::copy_async(&tally, tally_.data(), sizeof(tally), stream);
  stream.synchronize();
  Difference found;
  found.compared = words;
  found.wrong = static_cast<std::int64_t>(tally.wrong);
  if (found.wrong == 0) return found;
  found.first = static_cast<std::int64_t>(tally.first);
  found.got = cuda::read_one(got + found.first);
  found.want = word(key, found.first);
  return found;
}

}  // namespace rackproof::kit::pattern

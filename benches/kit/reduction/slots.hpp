#pragma once

#include <cstdint>

#include "benches/kit/reduction/elements.hpp"
#include "benches/kit/reduction/verifiable.hpp"

// The element functions by slot of a batch: what the kernels compute for one element, for the host
// to compute too.
namespace rackproof::reduction::elements {

/// What the data of all slots of one batch are a function of. Slot s has the seeds
/// {mixed(seed, s), mixed(mixed(seed, s), batch)} of Pattern.
struct SlotRule {
  std::uint64_t seed = 0;
  std::uint64_t batch = 0;
  int ranks = 1;
  Mean mean;
};

/// The keys of one slot and one source (a rank, or a negative number for the reduction of all), for
/// the elements without and with a stamp.
struct SlotKeys {
  RACKPROOF_HD SlotKeys(const SlotRule& rule, int slot, int source)
      : base(mixed(rule.seed, static_cast<std::uint64_t>(slot)), source < 0 ? 0 : source,
             rule.ranks, rule.mean),
        stamp(mixed(mixed(rule.seed, static_cast<std::uint64_t>(slot)), rule.batch),
              source < 0 ? 0 : source, rule.ranks, rule.mean) {}

  RACKPROOF_HD Keys of(std::int64_t index) const {
    return index % kStampStride == 0 ? stamp : base;
  }

  Keys base;
  Keys stamp;
};

/// Element `index` of what came out of a source.
template <class T, class Generator, bool kReduced>
RACKPROOF_HD Bits<T> slot_element(const SlotKeys& keys, std::int64_t index) {
  if constexpr (kReduced) {
    return Generator::result(keys.of(index), index);
  } else {
    return Generator::input(keys.of(index), index);
  }
}

}  // namespace rackproof::reduction::elements

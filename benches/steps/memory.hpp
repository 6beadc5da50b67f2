#pragma once

#include <cstdint>

#include "benches/steps/arithmetic.hpp"
#include "benches/steps/card.hpp"
#include "benches/steps/layout.hpp"

namespace rackproof::steps {

/// What is to be measured, as far as memory depends on it.
struct Needs {
  bool overlap = false;
  bool passes = false;            ///< training steps, or prefill
  std::int64_t sweep_bytes = 0;   ///< the largest message of the sweep
  std::int64_t decode_batch = 0;  ///< the largest; 0: none
  std::int64_t context = 0;       ///< tokens in the caches of keys and values
  bool transfer = false;          ///< of such a cache
};

/// Bytes of keys and values of one token in all layers of a rank, in float as they are kept here.
std::int64_t cache_bytes_of_token(const Card& card, const Layout& layout);

/// Bytes that the parts take on a rank, one after the other: those of the largest.
std::int64_t needed_bytes(const Card& card, const Layout& layout, const Batch& batch,
                          const Needs& needs);

/// Throws kit::UsageError where `room` bytes a rank do not suffice; the sentence says how much is
/// missing, and which layout of as many ranks, or else how many layers, would fit.
void demand_memory(const Card& card, const Layout& layout, const Batch& batch, const Needs& needs,
                   std::int64_t room);

}  // namespace rackproof::steps

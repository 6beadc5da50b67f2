#pragma once

#include <cstdint>

#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/product/numbers.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::product {

/// Queues a bitwise comparison of `elements` elements of 2, 4 or 8 bytes with the reference, and
/// adds what differs to `findings` (memory of the device); `label` is written down with the first
/// wrong element of all. Both arrays aligned to 16 bytes. Reads each once: 2 * elements *
/// element_bytes bytes.
void compare_async(const void* got, const void* want, std::int64_t elements, int element_bytes,
                   std::uint64_t label, Findings* findings, const kit::cuda::Stream& stream);

/// Queues adding the digest (see digest_term) of an array, aligned to 16 bytes, to `sum`.
void digest_async(const void* data, std::int64_t bytes, std::uint64_t* sum,
                  const kit::cuda::Stream& stream);

/// Queues adding to `count` the number of elements that are NaN or infinite.
void count_not_finite_async(const void* data, Result type, std::int64_t elements,
                            std::uint64_t* count, const kit::cuda::Stream& stream);

/// Queues flipping bit `bit` (0 to 7) of one byte: a test-only fault.
void flip_async(void* byte, int bit, const kit::cuda::Stream& stream);

}  // namespace rackproof::product

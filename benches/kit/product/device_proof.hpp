#pragma once

#include <cstdint>
#include <string>

#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/product/exact_operands.hpp"
#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::product {

/// An exact product as a device computed it: C (m x n, row-major) out of exact_a(seed_a) and
/// exact_b(seed_b).
struct DeviceProduct {
  Dtype dtype;
  ExactPlan plan;
  std::uint64_t seed_a = 0;
  std::uint64_t seed_b = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  const void* c = nullptr;
  /// A and B changed places: C is the transposed product, n rows of A's numbers times m of B's.
  bool swapped = false;
};

/// Proves that C is the exact product, as check_exact() of exact_product.hpp does, with two
/// differences: the sums are made on the device, in integers on the ordinary cores; and the
/// operands are made again from their seeds, so that what the memory of A and B did to them is seen
/// as well. Throws DeviceError.
Fault check_exact_on_device(const DeviceProduct& product, std::uint64_t seed,
                            const std::string& where, const kit::cuda::Stream& stream);

/// What comparing with a reference found, as a fault: "WHERE row 3, column 5", the bits got and
/// wanted. `columns` is the width of a row.
Fault fault_of(const Findings& findings, int element_bytes, std::int64_t columns,
               const std::string& where);

/// "0x3f80" with as many digits as the element has.
std::string bits_text(std::uint64_t bits, int element_bytes);

/// The digest of an array on the device, see digest_term().
std::uint64_t digest_of(const void* data, std::int64_t bytes, const kit::cuda::Stream& stream);

/// Queues the fault that was asked for with --inject: one bit of a result on the device.
void inject(const kit::Injection& injection, void* result, std::int64_t elements, int element_bytes,
            const kit::cuda::Stream& stream);

/// How many elements of C are NaN or infinite.
std::int64_t count_not_finite(const void* data, Result type, std::int64_t elements,
                              const kit::cuda::Stream& stream);

}  // namespace rackproof::product

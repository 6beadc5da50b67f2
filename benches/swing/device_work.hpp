#pragma once

#include <cstdint>
#include <optional>

#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/product/device_operand.hpp"
#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::swing {

/// A square product in bf16 that keeps the matrix units of the current device busy, with numbers
/// that are normally distributed, as those of a model: round ones take less power. Its algorithm is
/// trusted because an exact product of integers by it was proved; each result after the first has
/// to have its bits. One thread at a time, with its device current.
class DeviceWork {
 public:
  /// Takes the memory, looks for the fastest algorithm, and proves. Throws kit::UsageError when
  /// there is too little memory or the size does not suit, kit::Unavailable where the library has
  /// no kernel for it.
  DeviceWork(std::int64_t size, std::uint64_t seed);

  /// What was wrong before any load was run.
  const product::Fault& proved() const { return proved_; }
  /// Of one product with its comparison, on the device.
  double seconds() const { return seconds_; }
  std::int64_t elements() const { return size_ * size_; }

  /// Queues a product, the fault if there is one, and the comparison, noted under `label`.
  void queue(std::uint64_t label, const std::optional<kit::Injection>& fault,
             const kit::cuda::Stream& stream);
  /// What comparing found since forget(). Waits for the device.
  product::Findings findings() const { return kit::cuda::read_one(findings_.data()); }
  void forget(const kit::cuda::Stream& stream);

 private:
  struct Operands {
    explicit Operands(std::int64_t size);
    cublas::Operand left() const { return {a.data(), a.scales()}; }
    cublas::Operand right() const { return {b.data(), b.scales()}; }
    product::DeviceOperand a;
    product::DeviceOperand b;
  };
  void fill(std::uint64_t seed);
  void prove(std::uint64_t seed);

  std::int64_t size_;
  kit::cuda::Stream stream_;
  cublas::Handle handle_;
  cublas::Matmul matmul_;
  Operands load_;
  Operands exact_;
  kit::cuda::DeviceMemory result_;
  kit::cuda::DeviceMemory reference_;
  kit::cuda::DeviceBuffer<product::Findings> findings_;
  cublas::Algorithm algorithm_;
  product::Fault proved_;
  double seconds_ = 0;
};

}  // namespace rackproof::swing

#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "benches/burn/cuda_plan.hpp"
#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/cublas/tune.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/product/device_operand.hpp"
#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::burn {

/// The results of every type, in one piece of memory that they take turns in.
struct Pool {
  void* data = nullptr;
  std::int64_t bytes = 0;
};

/// What one type needs to burn: operands and references of two kinds, the ones that load the device
/// and exact integers, each with and without places changed (see turn_of). One thread.
class Workload {
 public:
  Workload(const cublas::Handle& handle, const CudaSettings& settings, product::Dtype dtype,
           const Pool& pool, std::uint64_t seed);

  /// Fills the operands and looks for the fastest algorithm; false when the library has none.
  bool prepare(const cublas::Search& search);

  /// Makes the references. The exact ones are proved, which is what the algorithm is trusted for;
  /// the others must be finite. Nothing may be burned after a fault.
  product::Fault prove();

  /// Seconds of one product with its comparison, and of the comparison alone, measured now.
  void measure_costs();
  double seconds_of_one() const { return seconds_of_one_; }
  double compare_seconds() const { return compare_seconds_; }

  /// Queues product `index` of the burn, then the fault if there is one, then its comparison with
  /// the reference, noted under `label`.
  void queue(std::int64_t index, const std::optional<kit::Injection>& fault, std::uint64_t label,
             const kit::cuda::Stream& stream);
  /// The same with the exact operands.
  void queue_exact(std::int64_t index, std::uint64_t label, const kit::cuda::Stream& stream);

  /// What all comparisons so far have found. Waits for the device.
  product::Findings findings() const { return kit::cuda::read_one(findings_.data()); }

  product::Dtype dtype() const { return type_.dtype; }
  const product::Numbers& type() const { return type_; }
  std::int64_t slots() const { return slots_; }
  std::int64_t elements() const { return size_ * size_; }
  std::int64_t depth() const { return depth_; }
  double operations() const {
    return 2.0 * static_cast<double>(elements()) * static_cast<double>(depth_);
  }
  const cublas::Tuned& tuned() const { return tuned_; }
  /// Digests of the exact result and of the loading one, by the library's own choice of algorithm.
  const std::array<std::uint64_t, 2>& digests() const { return digests_; }

 private:
  struct Kind {
    Kind(product::Dtype dtype, std::int64_t size, std::int64_t depth, std::int64_t result_bytes);
    product::DeviceOperand a;
    product::DeviceOperand b;
    std::array<kit::cuda::DeviceMemory, 2> references;  // places as they are, and changed
  };

  void multiply(const cublas::Algorithm& algorithm, const Kind& kind, bool swapped, void* c,
                const kit::cuda::Stream& stream);
  void queue_kind(const Kind& kind, std::int64_t index, const std::optional<kit::Injection>& fault,
                  std::uint64_t label, const kit::cuda::Stream& stream);
  void* slot(std::int64_t which) const;
  std::int64_t result_bytes() const { return elements() * type_.result_bytes; }
  product::Fault prove_exact(bool swapped);

  const product::Numbers& type_;
  std::int64_t size_;
  std::int64_t depth_;
  product::Pattern pattern_;
  Pool pool_;
  std::int64_t stride_;
  std::int64_t slots_;
  std::uint64_t seed_;
  kit::cuda::Stream stream_;
  cublas::Matmul matmul_;
  Kind load_;
  Kind exact_;
  kit::cuda::DeviceBuffer<product::Findings> findings_;
  cublas::Tuned tuned_;
  double seconds_of_one_ = 0;
  double compare_seconds_ = 0;
  std::array<std::uint64_t, 2> digests_{};
};

}  // namespace rackproof::burn

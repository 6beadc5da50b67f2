#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/cublas/tune.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/product/device_operand.hpp"
#include "benches/kit/product/exact_operands.hpp"
#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::steps {

/// A product of integers on one device whose result has one right answer: what computes while a
/// message is under way. The first result is proved as a whole, those after must have its bits.
/// Everything is queued on the stream that is given, but for settle(). Move-only; used with its
/// device current.
class DeviceProduct {
 public:
  /// A product of the right size is asked for, not the last percent of it.
  static constexpr cublas::Search kSearch{8, 0.5};

  /// Takes the memory; throws UsageError when there is too little.
  /// `where` begins the place of a wrong element: "mlp.down forward, ".
  DeviceProduct(const cublas::Problem& problem, std::uint64_t seed, std::string where,
                const kit::cuda::Stream& stream);

  /// From now on the first `rows` rows alone: looks for the fastest algorithm, proves its result
  /// and keeps it to compare with. Throws kit::Unavailable where the library has none.
  void settle(std::int64_t rows, const kit::cuda::Stream& stream,
              const cublas::Search& search = kSearch);
  std::int64_t rows() const { return rows_; }

  /// Overwrites the result with what no product is.
  void poison(const kit::cuda::Stream& stream);
  void multiply(std::int64_t times, const kit::cuda::Stream& stream);
  void compare(const kit::cuda::Stream& stream);

  /// What was found so far; waits for the device.
  product::Fault fault() const;
  std::int64_t compared() const { return compared_; }

 private:
  cublas::Operand operand(const product::DeviceOperand& of) const {
    return {of.data(), of.scales()};
  }
  std::int64_t elements() const { return rows_ * problem_.n; }

  cublas::Problem problem_;
  product::ExactPlan plan_;
  std::uint64_t seed_;
  std::string where_;
  std::int64_t rows_ = 0;
  cublas::Handle handle_;
  product::DeviceOperand a_;
  product::DeviceOperand b_;
  kit::cuda::DeviceMemory result_;
  kit::cuda::DeviceMemory reference_;
  kit::cuda::DeviceBuffer<product::Findings> findings_;
  std::optional<cublas::Matmul> matmul_;
  cublas::Algorithm algorithm_;
  product::Fault exact_;
  std::int64_t compared_ = 0;
};

}  // namespace rackproof::steps

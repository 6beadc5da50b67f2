#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "benches/gemm/cuda_plan.hpp"
#include "benches/kit/cublas/matmul.hpp"
#include "benches/kit/cublas/tune.hpp"
#include "benches/kit/cuda/graph.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/product/device_operand.hpp"
#include "benches/kit/product/fault.hpp"
#include "benches/kit/product/result_bits.hpp"

namespace rackproof::gemm {

/// The memory and the work of one cell on the device. Move-only by its members; one thread.
class DeviceWork {
 public:
  DeviceWork(const cublas::Handle& handle, const CudaCell& cell, bool fast_accumulation);

  /// The algorithms that the library offers, timed; nothing when it has none. Call a fill before.
  std::optional<cublas::Tuned> tune(const cublas::Search& search);

  void fill_pattern(product::Pattern pattern, std::uint64_t seed);

  /// Part one of the proof: integers whose product is exact, by the algorithm that will be timed.
  /// Gives the fault found, and the digest of the result.
  product::Fault prove_exact(const cublas::Algorithm& algorithm, std::uint64_t seed,
                             const std::optional<kit::Injection>& injection);
  std::uint64_t exact_digest() const { return exact_digest_; }

  /// Makes the reference that timed results are compared with. NaN and infinity in it are a fault.
  product::Fault make_reference(const cublas::Algorithm& algorithm);
  /// The digest of the product with the operands as they are, by some algorithm. Overwrites
  /// results.
  std::uint64_t digest_by(const cublas::Algorithm& algorithm);

  /// Makes ready to time `calls` products as one piece, over all results by turns.
  void prepare(const cublas::Algorithm& algorithm, std::int64_t calls);

  /// Runs samples for `seconds` of device time and `least` of them at least, without a pause; calls
  /// `look` now and then. Before it every result is overwritten with NaN, after it every result is
  /// compared with the reference, bit by bit. Gives the seconds of each sample.
  std::vector<double> round(double seconds, std::int64_t least, const std::function<void()>& look);

  /// What all rounds so far have found, and how many elements they compared.
  product::Fault round_fault() const;
  std::int64_t compared() const { return compared_; }

 private:
  cublas::Operand operand(const product::DeviceOperand& of) const;
  void multiply(const cublas::Algorithm& algorithm, void* c);
  void poison(const kit::cuda::DeviceMemory& result);
  void compare_results();
  std::int64_t elements() const { return cell_.shape.m * cell_.shape.n; }

  CudaCell cell_;
  const product::Numbers& type_;
  kit::cuda::Stream stream_;
  cublas::Matmul matmul_;
  product::DeviceOperand a_;
  product::DeviceOperand b_;
  std::vector<kit::cuda::DeviceMemory> results_;
  kit::cuda::DeviceMemory reference_;
  kit::cuda::DeviceBuffer<product::Findings> findings_;
  std::optional<kit::cuda::Graph> graph_;
  std::uint64_t exact_digest_ = 0;
  std::int64_t compared_ = 0;
  std::int64_t rounds_ = 0;
};

}  // namespace rackproof::gemm

#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/product/numbers.hpp"

namespace rackproof::cublas {

/// C (m x n, row-major) = A (m x k) * B (k x n). Rows of A and columns of B lie packed, k elements
/// side by side: the one layout that every type has, and that of a linear layer (x W^T).
struct Problem {
  product::Dtype dtype = product::Dtype::kFp64;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
  /// fp8_e4m3 alone: sums stay in the matrix unit's accumulator instead of being added up in fp32
  /// every so often.
  bool fast_accumulation = true;
};

/// One operand in memory of the device.
struct Operand {
  const void* data = nullptr;
  const void* scales = nullptr;
};

/// One of the ways in which the library can compute a product.
struct Algorithm {
  cublasLtMatmulAlgo_t handle{};
  std::size_t workspace_bytes = 0;

  /// "algorithm 66, tile 20, stages 36, split-k 1, ...": the library's own numbers (the
  /// enumerations of cublasLt.h), which name it.
  std::string text() const;
};

/// The library's context. Move-only.
class Handle {
 public:
  Handle();
  ~Handle();
  Handle(Handle&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  cublasLtHandle_t get() const { return handle_; }

 private:
  cublasLtHandle_t handle_ = nullptr;
};

/// What each Matmul has of the device for the library: more than any of its kernels asks for.
inline constexpr std::size_t kWorkspaceBytes = std::size_t{64} << 20U;

/// A problem as the library wants it described. Move-only; one thread.
class Matmul {
 public:
  Matmul(const Handle& handle, const Problem& problem);
  ~Matmul();
  Matmul(Matmul&& other) noexcept;
  Matmul& operator=(Matmul&& other) noexcept;
  Matmul(const Matmul&) = delete;
  Matmul& operator=(const Matmul&) = delete;

  /// Up to `most` algorithms, in the order in which the library's heuristic thinks them fast; none
  /// when it has no kernel for this problem on this device. `a` and `b` are the operands to come:
  /// the library asks where scales lie. Algorithms that add up parts of the sum in C's type are
  /// left out: they round where an exact sum is to be proved.
  std::vector<Algorithm> algorithms(int most, const Operand& a, const Operand& b);

  /// Queues C = A * B and gives the library's status: one algorithm may refuse what another can do.
  cublasStatus_t try_run(const Algorithm& algorithm, const Operand& a, const Operand& b, void* c,
                         const kit::cuda::Stream& stream);
  /// Queues C = A * B. Throws DeviceError.
  void run(const Algorithm& algorithm, const Operand& a, const Operand& b, void* c,
           const kit::cuda::Stream& stream);

  const Problem& problem() const { return problem_; }

 private:
  void set_scales(const Operand& a, const Operand& b);

  Problem problem_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t desc_ = nullptr;
  // In the library's terms, column by column: its A is our B, its B our A, and its C is n x m.
  cublasLtMatrixLayout_t columns_ = nullptr;
  cublasLtMatrixLayout_t rows_ = nullptr;
  cublasLtMatrixLayout_t result_ = nullptr;
  kit::cuda::DeviceMemory workspace_;
};

/// Throws UsageError when the shape does not suit the type: "fp8_e4m3 needs m, n and k to be
/// multiples of 16, not 100 x 64 x 64".
void require_shape(const Problem& problem);

}  // namespace rackproof::cublas

#include <cblas.h>
#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "benches/kit/product/block_scales.hpp"
#include "benches/kit/product/formats.hpp"
#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/streams.hpp"

// libcublasLt, which takes what the real one's documentation says it takes, refuses the rest, and
// multiplies with OpenBLAS in double. Handles are the library's own opaque structures, with our
// fields at their beginning.
using namespace rackproof;

namespace {

using cuda_host::complain;
using cuda_host::machine;
using cuda_host::Touch;
using cuda_host::touch_range;

struct Layout {
  cudaDataType_t type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::int64_t stride;

  std::int64_t elements() const { return static_cast<std::int64_t>(columns) * stride; }
};
struct Description {
  cublasComputeType_t compute;
  cudaDataType_t scalar;
  std::array<cublasOperation_t, 2> transposed;
  std::array<const void*, 2> scales;
  std::array<std::int32_t, 2> modes;
};

const Layout& fields(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<Layout*>(layout); }
Description& fields(cublasLtMatmulDesc_t of) { return *reinterpret_cast<Description*>(of); }

template <class T>
cublasStatus_t take(T& to, const void* from, std::size_t bytes) {
  if (bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, from, sizeof(T));
  return CUBLAS_STATUS_SUCCESS;
}

// Half bytes are counted in pairs.
std::size_t bytes_of(const Layout& layout) {
  const auto elements = static_cast<std::size_t>(layout.elements());
  switch (layout.type) {
    case CUDA_R_64F:
      return 8 * elements;
    case CUDA_R_32F:
    case CUDA_R_32I:
      return 4 * elements;
    case CUDA_R_16BF:
    case CUDA_R_16F:
      return 2 * elements;
    case CUDA_R_4F_E2M1:
      return elements / 2;
    default:
      return elements;
  }
}

// Of an operand: every element would cost more than the product, and who made it made all of it.
void look_over(const void* from, std::size_t bytes) {
  constexpr std::size_t kStep = 256;
  const auto* const begin = static_cast<const char*>(from);
  for (std::size_t at = 0; at < bytes; at += kStep) {
    touch_range(begin + at, std::min<std::size_t>(8, bytes - at), Touch::kRead, true);
  }
  touch_range(begin + bytes - 1, 1, Touch::kRead, true);
}

/// One factor of a product as the library reads it.
struct Operand {
  Layout layout;
  const void* data;
  const void* scales;
  std::int32_t mode;

  double scale_of(std::int64_t row, std::int64_t l) const {
    const auto k = static_cast<std::int64_t>(layout.rows);
    const auto* const bytes = static_cast<const std::uint8_t*>(scales);
    if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0) {
      return std::ldexp(1.0, bytes[product::scale_offset(row, l / 32, k / 32)] - 127);
    }
    if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3) {
      return product::decode_e4m3(bytes[product::scale_offset(row, l / 16, k / 16)]);
    }
    return scales == nullptr ? 1.0 : *static_cast<const float*>(scales);
  }

  double element(std::int64_t row, std::int64_t l) const {
    const std::int64_t index = row * layout.stride + l;
    const auto* const bytes = static_cast<const std::uint8_t*>(data);
    switch (layout.type) {
      case CUDA_R_64F:
        return static_cast<const double*>(data)[index];
      case CUDA_R_32F:
        return static_cast<const float*>(data)[index];
      case CUDA_R_16BF:
        return product::decode_bf16(static_cast<const product::Bf16*>(data)[index]);
      case CUDA_R_16F:
        return product::decode_fp16(static_cast<const product::Fp16*>(data)[index]);
      case CUDA_R_8I:
        return static_cast<const std::int8_t*>(data)[index];
      case CUDA_R_8F_E4M3:
        return product::decode_e4m3(bytes[index]) * scale_of(row, l);
      case CUDA_R_4F_E2M1: {
        const std::uint8_t both = bytes[index / 2];
        const auto bits = static_cast<std::uint8_t>(index % 2 == 0 ? both & 0xFU : both >> 4U);
        return static_cast<double>(product::decode_e2m1(bits)) * scale_of(row, l);
      }
      default:
        complain("a matrix product of a type that is not played here");
    }
  }

  // Rows of `k` elements, one after the other.
  std::vector<double> decoded() const {
    look_over(data, bytes_of(layout));
    if (scales != nullptr) touch_range(scales, 1, Touch::kRead, true);
    const auto k = static_cast<std::int64_t>(layout.rows);
    std::vector<double> all(layout.columns * layout.rows);
    for (std::int64_t row = 0; std::cmp_less(row, layout.columns); ++row) {
      for (std::int64_t l = 0; l < k; ++l)
        all[static_cast<std::size_t>(row * k + l)] = element(row, l);
    }
    return all;
  }
};

void put(const Layout& layout, void* data, std::int64_t index, double value) {
  const auto small = static_cast<float>(value);
  switch (layout.type) {
    case CUDA_R_64F:
      static_cast<double*>(data)[index] = value;
      return;
    case CUDA_R_32F:
      static_cast<float*>(data)[index] = small;
      return;
    case CUDA_R_16BF:
      static_cast<product::Bf16*>(data)[index] = product::encode_bf16(small);
      return;
    case CUDA_R_16F:
      static_cast<product::Fp16*>(data)[index] = product::encode_fp16(small);
      return;
    case CUDA_R_32I:
      static_cast<std::int32_t*>(data)[index] = static_cast<std::int32_t>(value);
      return;
    default:
      complain("a matrix product into a type that is not played here");
  }
}

void multiply(const Operand& a, const Operand& b, const Layout& out, void* data) {
  const std::vector<double> x = a.decoded();
  const std::vector<double> y = b.decoded();
  std::vector<double> z(out.rows * out.columns);
  touch_range(data, bytes_of(out), Touch::kWrite);
  thread_local bool alone = false;
  if (!alone) openblas_set_num_threads(1);
  alone = true;
  const auto k = static_cast<int>(a.layout.rows);
  const auto rows = static_cast<int>(out.rows);
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, rows, static_cast<int>(out.columns), k, 1.0,
              x.data(), k, y.data(), k, 0.0, z.data(), rows);
  for (std::uint64_t column = 0; column < out.columns; ++column) {
    for (std::uint64_t row = 0; row < out.rows; ++row) {
      put(out, data,
          static_cast<std::int64_t>(column) * out.stride + static_cast<std::int64_t>(row),
          z[column * out.rows + row]);
    }
  }
}

// The scalars 1 and 0 in the type that the description names.
bool scalars_are_right(const Description& how, const void* alpha, const void* beta) {
  const double one = 1;
  const float one32 = 1;
  const std::int32_t whole = 1;
  const std::int64_t zero = 0;
  if (how.scalar == CUDA_R_64F) {
    return std::memcmp(alpha, &one, 8) == 0 && std::memcmp(beta, &zero, 8) == 0;
  }
  const void* const want = how.scalar == CUDA_R_32I ? static_cast<const void*>(&whole) : &one32;
  return std::memcmp(alpha, want, 4) == 0 && std::memcmp(beta, &zero, 4) == 0;
}

// Of a workspace: enough to see that it is all there, and that nobody else uses it.
void touch_ends(void* from, std::size_t bytes) {
  const std::size_t part = std::min<std::size_t>(bytes, 4096);
  touch_range(from, part, Touch::kWrite);
  touch_range(static_cast<char*>(from) + bytes - part, part, Touch::kWrite);
}

bool is_aligned(const void* address, std::size_t to) {
  return reinterpret_cast<std::uintptr_t>(address) % to == 0;
}

}  // namespace

extern "C" {

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(new int(0));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<int*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
std::size_t cublasLtGetVersion() { return 130'100; }
const char* cublasLtGetStatusName(cublasStatus_t) { return "CUBLAS_STATUS"; }
const char* cublasLtGetStatusString(cublasStatus_t) {
  return "a status of a cuBLASLt that a host plays";
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t stride) {
  *layout = new cublasLtMatrixLayoutOpaque_t{};
  *reinterpret_cast<Layout*>(*layout) = {type, rows, columns, stride};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* description,
                                        cublasComputeType_t compute, cudaDataType_t scalar) {
  *description = new cublasLtMatmulDescOpaque_t{};
  fields(*description) = {compute, scalar, {CUBLAS_OP_N, CUBLAS_OP_N}, {nullptr, nullptr}, {0, 0}};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t description) {
  delete description;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t description,
                                              cublasLtMatmulDescAttributes_t what,
                                              const void* value, std::size_t bytes) {
  Description& to = fields(description);
  std::int8_t fast = 0;
  std::int32_t word = 0;
  switch (what) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
      return take(to.transposed[0], value, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
      return take(to.transposed[1], value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_POINTER:
      return take(to.scales[0], value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_POINTER:
      return take(to.scales[1], value, bytes);
    case CUBLASLT_MATMUL_DESC_A_SCALE_MODE:
      return take(to.modes[0], value, bytes);
    case CUBLASLT_MATMUL_DESC_B_SCALE_MODE:
      return take(to.modes[1], value, bytes);
    case CUBLASLT_MATMUL_DESC_FAST_ACCUM:
      return take(fast, value, bytes);
    case CUBLASLT_MATMUL_DESC_COMPUTE_TYPE:
    case CUBLASLT_MATMUL_DESC_SCALE_TYPE:
      return take(word, value, bytes);
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t,
                                                    cublasLtMatmulPreferenceAttributes_t what,
                                                    const void* value, std::size_t bytes) {
  std::uint64_t workspace = 0;
  std::uint32_t mask = 0;
  return what == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? take(workspace, value, bytes)
                                                          : take(mask, value, bytes);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                                              cublasLtMatmulPreference_t, int most,
                                              cublasLtMatmulHeuristicResult_t* results,
                                              int* count) {
  *count = std::min(most, machine().algorithms);
  if (*count == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < *count; ++i) {
    results[i] = {};
    results[i].algo.data[0] = static_cast<std::uint64_t>(i);
    results[i].state = CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t what,
                                                    void* value, std::size_t bytes, std::size_t*) {
  std::memset(value, 0, bytes);
  if (what == CUBLASLT_ALGO_CONFIG_ID) std::memcpy(value, algorithm->data, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t description, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                              cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                              cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t d_layout,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              std::size_t workspace_bytes, cudaStream_t stream) {
  if (std::cmp_less(algorithm->data[0], machine().refusing)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const Description how = fields(description);
  const Layout out = fields(d_layout);
  const Operand left{fields(a_layout), a, how.scales[0], how.modes[0]};
  const Operand right{fields(b_layout), b, how.scales[1], how.modes[1]};
  const bool shapes = left.layout.rows == right.layout.rows && out.rows == left.layout.columns &&
                      out.columns == right.layout.columns && how.transposed[0] == CUBLAS_OP_T &&
                      how.transposed[1] == CUBLAS_OP_N;
  const bool aligned = is_aligned(a, 16) && is_aligned(b, 16) && is_aligned(d, 16) &&
                       (workspace_bytes == 0 || is_aligned(workspace, 256));
  if (!shapes || !aligned || c != d || !scalars_are_right(how, alpha, beta)) {
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  cuda_host::submit(stream, "a matrix product of cuBLASLt", [=] {
    touch_ends(workspace, workspace_bytes);
    multiply(left, right, out, d);
  });
  return CUBLAS_STATUS_SUCCESS;
}
}

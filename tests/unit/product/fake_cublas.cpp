#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <stdexcept>

#include "benches/kit/cublas/api.hpp"
#include "benches/kit/cuda/check.hpp"
#include "benches/kit/product/block_scales.hpp"
#include "benches/kit/product/formats.hpp"
#include "tests/unit/product/fake_cuda.hpp"

// The cuBLASLt of FakeGpu, which takes what the real one's documentation says it takes, and refuses
// the rest. Handles are the library's own opaque structures, with our fields at their beginning.
namespace rackproof::cublas {
namespace {

using test::fake_gpu;

struct Layout {
  cudaDataType_t type;
  std::uint64_t rows;
  std::uint64_t columns;
  std::int64_t stride;
};
struct Desc {
  cublasComputeType_t compute;
  cudaDataType_t scalar;
  cublasOperation_t transposed[2];
  const void* scales[2];
  std::int32_t modes[2];
};

const Layout& fields(cublasLtMatrixLayout_t layout) { return *reinterpret_cast<Layout*>(layout); }
Desc& fields(cublasLtMatmulDesc_t desc) { return *reinterpret_cast<Desc*>(desc); }

cublasStatus_t create(cublasLtHandle_t* handle) {
  *handle = reinterpret_cast<cublasLtHandle_t>(new int(0));
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t destroy(cublasLtHandle_t handle) {
  delete reinterpret_cast<int*>(handle);
  return CUBLAS_STATUS_SUCCESS;
}
std::size_t version() { return 130100; }
const char* status_name(cublasStatus_t) { return "a status of the fake"; }
const char* status_string(cublasStatus_t) { return "made up"; }

cublasStatus_t layout_create(cublasLtMatrixLayout_t* layout, cudaDataType type, std::uint64_t rows,
                             std::uint64_t columns, std::int64_t stride) {
  *layout = new cublasLtMatrixLayoutOpaque_t{};
  *reinterpret_cast<Layout*>(*layout) = {type, rows, columns, stride};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t layout_destroy(cublasLtMatrixLayout_t layout) {
  delete layout;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t desc_create(cublasLtMatmulDesc_t* desc, cublasComputeType_t compute,
                           cudaDataType_t scalar) {
  *desc = new cublasLtMatmulDescOpaque_t{};
  fields(*desc) = {compute, scalar, {CUBLAS_OP_N, CUBLAS_OP_N}, {nullptr, nullptr}, {0, 0}};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t desc_destroy(cublasLtMatmulDesc_t desc) {
  delete desc;
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t take(T& to, const void* from, std::size_t bytes) {
  if (bytes != sizeof(T)) return CUBLAS_STATUS_INVALID_VALUE;
  std::memcpy(&to, from, sizeof(T));
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t desc_set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t what,
                        const void* value, std::size_t bytes) {
  Desc& to = fields(desc);
  std::int8_t fast = 0;
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
    default:
      return CUBLAS_STATUS_INVALID_VALUE;
  }
}

cublasStatus_t preference_create(cublasLtMatmulPreference_t* preference) {
  *preference = new cublasLtMatmulPreferenceOpaque_t{};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t preference_destroy(cublasLtMatmulPreference_t preference) {
  delete preference;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t preference_set(cublasLtMatmulPreference_t, cublasLtMatmulPreferenceAttributes_t what,
                              const void* value, std::size_t bytes) {
  std::uint64_t workspace = 0;
  std::uint32_t mask = 0;
  return what == CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES ? take(workspace, value, bytes)
                                                          : take(mask, value, bytes);
}

cublasStatus_t heuristic(cublasLtHandle_t, cublasLtMatmulDesc_t, cublasLtMatrixLayout_t,
                         cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t,
                         cublasLtMatmulPreference_t, int most,
                         cublasLtMatmulHeuristicResult_t* results, int* count) {
  *count = std::min(most, fake_gpu().algorithms);
  if (*count == 0) return CUBLAS_STATUS_NOT_SUPPORTED;
  for (int i = 0; i < *count; ++i) {
    results[i] = {};
    results[i].algo.data[0] = static_cast<std::uint64_t>(i);
    results[i].state = CUBLAS_STATUS_SUCCESS;
  }
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t algo_get(const cublasLtMatmulAlgo_t* algorithm,
                        cublasLtMatmulAlgoConfigAttributes_t what, void* value, std::size_t bytes,
                        std::size_t*) {
  std::memset(value, 0, bytes);
  if (what == CUBLASLT_ALGO_CONFIG_ID) std::memcpy(value, algorithm->data, bytes);
  return CUBLAS_STATUS_SUCCESS;
}

// Element l of vector `row` of an operand, with its scale.
double element(const Layout& layout, const void* data, const void* scales, std::int32_t mode,
               std::int64_t row, std::int64_t l) {
  const auto k = static_cast<std::int64_t>(layout.rows);
  const std::int64_t index = row * layout.stride + l;
  const auto* const bytes = static_cast<const std::uint8_t*>(data);
  const auto scale_at = [&](std::int64_t block) {
    return static_cast<const std::uint8_t*>(
        scales)[product::scale_offset(row, l / block, k / block)];
  };
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
    case CUDA_R_8F_E4M3: {
      const double value = product::decode_e4m3(bytes[index]);
      if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0) {
        return std::ldexp(value, scale_at(32) - 127);
      }
      return value * *static_cast<const float*>(scales);
    }
    case CUDA_R_4F_E2M1: {
      if (mode != CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3) throw std::logic_error("fp4 scales");
      const std::uint8_t both = bytes[index / 2];
      const auto bits = static_cast<std::uint8_t>(index % 2 == 0 ? both & 0xFU : both >> 4U);
      return static_cast<double>(product::decode_e2m1(bits)) * product::decode_e4m3(scale_at(16));
    }
    default:
      throw std::logic_error("an operand type that the fake does not know");
  }
}

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
      throw std::logic_error("a result type that the fake does not know");
  }
}

int result_bytes(const Layout& layout) {
  return layout.type == CUDA_R_64F                                ? 8
         : layout.type == CUDA_R_32F || layout.type == CUDA_R_32I ? 4
                                                                  : 2;
}

// The scalars 1 and 0 in the type that the description names.
bool scalars_are_right(const Desc& desc, const void* alpha, const void* beta) {
  const double one = 1;
  const float one32 = 1;
  const std::int32_t whole = 1;
  const std::int64_t zero = 0;
  if (desc.scalar == CUDA_R_64F) {
    return std::memcmp(alpha, &one, 8) == 0 && std::memcmp(beta, &zero, 8) == 0;
  }
  const void* const want = desc.scalar == CUDA_R_32I ? static_cast<const void*>(&whole)
                                                     : static_cast<const void*>(&one32);
  return std::memcmp(alpha, want, 4) == 0 && std::memcmp(beta, &zero, 4) == 0;
}

cublasStatus_t matmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha, const void* a,
                      cublasLtMatrixLayout_t a_layout, const void* b,
                      cublasLtMatrixLayout_t b_layout, const void* beta, const void*,
                      cublasLtMatrixLayout_t, void* d, cublasLtMatrixLayout_t d_layout,
                      const cublasLtMatmulAlgo_t* algorithm, void*, std::size_t,
                      cudaStream_t stream) {
  if (static_cast<int>(algorithm->data[0]) < fake_gpu().refusing)
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const Desc how = fields(desc);
  const Layout left = fields(a_layout);
  const Layout right = fields(b_layout);
  const Layout out = fields(d_layout);
  const bool shapes = left.rows == right.rows && out.rows == left.columns &&
                      out.columns == right.columns && how.transposed[0] == CUBLAS_OP_T &&
                      how.transposed[1] == CUBLAS_OP_N;
  if (!shapes || !scalars_are_right(how, alpha, beta)) return CUBLAS_STATUS_INVALID_VALUE;
  test::submit(stream, [=] {
    const std::int64_t number = fake_gpu().products++;
    if (fake_gpu().skip && fake_gpu().skip(number)) return;
    for (std::uint64_t column = 0; column < out.columns; ++column) {
      for (std::uint64_t row = 0; row < out.rows; ++row) {
        double sum = 0;
        for (std::uint64_t l = 0; l < left.rows; ++l) {
          sum += element(left, a, how.scales[0], how.modes[0], static_cast<std::int64_t>(row),
                         static_cast<std::int64_t>(l)) *
                 element(right, b, how.scales[1], how.modes[1], static_cast<std::int64_t>(column),
                         static_cast<std::int64_t>(l));
        }
        put(out, d, static_cast<std::int64_t>(column) * out.stride + static_cast<std::int64_t>(row),
            sum);
      }
    }
    if (fake_gpu().spoil) {
      fake_gpu().spoil(number, static_cast<unsigned char*>(d),
                       out.rows * out.columns * static_cast<std::size_t>(result_bytes(out)));
    }
  });
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace

const Api& api() {
  static const Api kFake = {create,         destroy,       version,           status_name,
                            status_string,  layout_create, layout_destroy,    desc_create,
                            desc_destroy,   desc_set,      preference_create, preference_destroy,
                            preference_set, heuristic,     algo_get,          matmul};
  return kFake;
}

std::map<std::string, std::string> libraries() { return {{"cublasLt", "none"}}; }

std::string version_text(std::size_t number) { return fmt::format("{}", number); }

void require(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  kit::cuda::fail(call, file, line, status_name(status), status_string(status));
}

}  // namespace rackproof::cublas

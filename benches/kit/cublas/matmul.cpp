#include "benches/kit/cublas/matmul.hpp"

#include <fmt/format.h>

#include "benches/kit/cublas/api.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::cublas {
namespace {

using product::Dtype;

struct Types {
  cudaDataType_t operand;
  cublasComputeType_t compute;
  cudaDataType_t scalar;
  cudaDataType_t result;
};

Types types_of(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFp64:
      return {CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F, CUDA_R_64F};
    case Dtype::kFp32:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F};
    case Dtype::kTf32:
      return {CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F};
    case Dtype::kBf16:
      return {CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF};
    case Dtype::kFp16:
      return {CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F};
    case Dtype::kFp8:
    case Dtype::kMxfp8:
      return {CUDA_R_8F_E4M3, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF};
    case Dtype::kNvfp4:
      return {CUDA_R_4F_E2M1, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16BF};
    case Dtype::kInt8:
      return {CUDA_R_8I, CUBLAS_COMPUTE_32I, CUDA_R_32I, CUDA_R_32I};
  }
  return {};
}

// 1 and 0 in the type of the scalars.
struct Scalars {
  double one64 = 1;
  double zero64 = 0;
  float one32 = 1;
  float zero32 = 0;
  std::int32_t one_integer = 1;
  std::int32_t zero_integer = 0;

  const void* one(cudaDataType_t type) const {
    if (type == CUDA_R_64F) return &one64;
    return type == CUDA_R_32I ? static_cast<const void*>(&one_integer) : &one32;
  }
  const void* zero(cudaDataType_t type) const {
    if (type == CUDA_R_64F) return &zero64;
    return type == CUDA_R_32I ? static_cast<const void*>(&zero_integer) : &zero32;
  }
};
constexpr Scalars kScalars;

template <class T>
void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, const T& value) {
  RACKPROOF_CUBLAS(api().desc_set(desc, attribute, &value, sizeof(value)));
}

std::int32_t scale_mode(Dtype dtype) {
  switch (dtype) {
    case Dtype::kMxfp8:
      return CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
    case Dtype::kNvfp4:
      return CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
    default:
      return CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  }
}

cublasLtMatrixLayout_t layout(cudaDataType_t type, std::int64_t rows, std::int64_t columns) {
  cublasLtMatrixLayout_t made = nullptr;
  RACKPROOF_CUBLAS(api().layout_create(&made, type, static_cast<std::uint64_t>(rows),
                                       static_cast<std::uint64_t>(columns), rows));
  return made;
}

// What the search for algorithms is held to. Move-only by being neither.
class Preference {
 public:
  Preference() {
    RACKPROOF_CUBLAS(api().preference_create(&handle_));
    const std::uint64_t workspace = kWorkspaceBytes;
    // NONE is always allowed; of the others only what adds up in the type of the computation.
    const std::uint32_t reduction = CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
    RACKPROOF_CUBLAS(api().preference_set(handle_, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                          &workspace, sizeof(workspace)));
    RACKPROOF_CUBLAS(api().preference_set(handle_, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                                          &reduction, sizeof(reduction)));
  }
  ~Preference() {
    if (handle_ != nullptr) (void)api().preference_destroy(handle_);
  }
  Preference(const Preference&) = delete;
  Preference& operator=(const Preference&) = delete;

  cublasLtMatmulPreference_t get() const { return handle_; }

 private:
  cublasLtMatmulPreference_t handle_ = nullptr;
};

template <class T>
std::string number(const cublasLtMatmulAlgo_t& algorithm,
                   cublasLtMatmulAlgoConfigAttributes_t what) {
  T value{};
  std::size_t written = 0;
  if (api().algo_get(&algorithm, what, &value, sizeof(value), &written) != CUBLAS_STATUS_SUCCESS) {
    return "unknown";
  }
  return fmt::format("{}", value);
}

}  // namespace

std::string Algorithm::text() const {
  return fmt::format(
      "algorithm {}, tile {}, stages {}, split-k {}, reduction {}, swizzle {}, custom {}, "
      "inner {}, cluster {}, workspace {} B",
      number<std::int32_t>(handle, CUBLASLT_ALGO_CONFIG_ID),
      number<std::uint32_t>(handle, CUBLASLT_ALGO_CONFIG_TILE_ID),
      number<std::uint32_t>(handle, CUBLASLT_ALGO_CONFIG_STAGES_ID),
      number<std::int32_t>(handle, CUBLASLT_ALGO_CONFIG_SPLITK_NUM),
      number<std::uint32_t>(handle, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME),
      number<std::uint32_t>(handle, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING),
      number<std::uint32_t>(handle, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION),
      number<std::uint16_t>(handle, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID),
      number<std::uint16_t>(handle, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID), workspace_bytes);
}

Handle::Handle() { RACKPROOF_CUBLAS(api().create(&handle_)); }

Handle::~Handle() {
  if (handle_ != nullptr) (void)api().destroy(handle_);
}

Handle& Handle::operator=(Handle&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

Matmul::Matmul(const Handle& handle, const Problem& problem)
    : problem_(problem), handle_(handle.get()), workspace_(kWorkspaceBytes) {
  require_shape(problem);
  const Types types = types_of(problem.dtype);
  // What was made before a later step fails leaks: the process ends then.
  RACKPROOF_CUBLAS(api().desc_create(&desc_, types.compute, types.scalar));
  set(desc_, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  set(desc_, CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_N);
  if (problem.dtype == Dtype::kFp8) {
    set(desc_, CUBLASLT_MATMUL_DESC_FAST_ACCUM,
        static_cast<std::int8_t>(problem.fast_accumulation ? 1 : 0));
  }
  if (product::numbers(problem.dtype).block > 0) {
    set(desc_, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, scale_mode(problem.dtype));
    set(desc_, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, scale_mode(problem.dtype));
  }
  columns_ = layout(types.operand, problem.k, problem.n);
  rows_ = layout(types.operand, problem.k, problem.m);
  result_ = layout(types.result, problem.n, problem.m);
}

Matmul::~Matmul() {
  for (const cublasLtMatrixLayout_t one : {columns_, rows_, result_}) {
    if (one != nullptr) (void)api().layout_destroy(one);
  }
  if (desc_ != nullptr) (void)api().desc_destroy(desc_);
}

Matmul::Matmul(Matmul&& other) noexcept
    : problem_(other.problem_),
      handle_(other.handle_),
      desc_(std::exchange(other.desc_, nullptr)),
      columns_(std::exchange(other.columns_, nullptr)),
      rows_(std::exchange(other.rows_, nullptr)),
      result_(std::exchange(other.result_, nullptr)),
      workspace_(std::move(other.workspace_)) {}

Matmul& Matmul::operator=(Matmul&& other) noexcept {
  std::swap(problem_, other.problem_);
  std::swap(handle_, other.handle_);
  std::swap(desc_, other.desc_);
  std::swap(columns_, other.columns_);
  std::swap(rows_, other.rows_);
  std::swap(result_, other.result_);
  std::swap(workspace_, other.workspace_);
  return *this;
}

void Matmul::set_scales(const Operand& a, const Operand& b) {
  if (a.scales == nullptr && b.scales == nullptr) return;
  set(desc_, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, b.scales);
  set(desc_, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, a.scales);
}

std::vector<Algorithm> Matmul::algorithms(int most, const Operand& a, const Operand& b) {
  set_scales(a, b);
  const Preference preference;
  std::vector<cublasLtMatmulHeuristicResult_t> found(static_cast<std::size_t>(most));
  int count = 0;
  const cublasStatus_t status = api().heuristic(handle_, desc_, columns_, rows_, result_, result_,
                                                preference.get(), most, found.data(), &count);
  if (status == CUBLAS_STATUS_NOT_SUPPORTED) return {};
  RACKPROOF_CUBLAS(status);
  std::vector<Algorithm> all;
  for (int i = 0; i < count; ++i) {
    const cublasLtMatmulHeuristicResult_t& one = found[static_cast<std::size_t>(i)];
    if (one.state == CUBLAS_STATUS_SUCCESS) all.push_back({one.algo, one.workspaceSize});
  }
  return all;
}

cublasStatus_t Matmul::try_run(const Algorithm& algorithm, const Operand& a, const Operand& b,
                               void* c, const kit::cuda::Stream& stream) {
  set_scales(a, b);
  const cudaDataType_t scalar = types_of(problem_.dtype).scalar;
  return api().matmul(handle_, desc_, kScalars.one(scalar), b.data, columns_, a.data, rows_,
                      kScalars.zero(scalar), c, result_, c, result_, &algorithm.handle,
                      workspace_.data(), workspace_.bytes(), stream.get());
}

void Matmul::run(const Algorithm& algorithm, const Operand& a, const Operand& b, void* c,
                 const kit::cuda::Stream& stream) {
  RACKPROOF_CUBLAS(try_run(algorithm, a, b, c, stream));
}

void require_shape(const Problem& problem) {
  const product::Numbers& type = product::numbers(problem.dtype);
  const std::int64_t step = type.multiple;
  if (problem.m % step == 0 && problem.n % step == 0 && problem.k % step == 0) return;
  throw kit::UsageError(fmt::format("{} needs m, n and k to be multiples of {}, not {} x {} x {}",
                                    type.name, step, problem.m, problem.n, problem.k));
}

}  // namespace rackproof::cublas

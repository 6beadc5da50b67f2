#include "benches/kit/cublas/api.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::cublas {
namespace {

// The library is of the generation of the toolkit that this was built with.
std::string library_name() { return fmt::format("libcublasLt.so.{}", CUDART_VERSION / 1000); }

// As the system finds it, or from the toolkit's folder. Never closed: its kernels are registered
// with the driver, and the process ends soon after.
void* load() {
  const std::string name = library_name();
  if (void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  const std::string in_toolkit = fmt::format("{}/{}", RACKPROOF_CUBLAS_FOLDER, name);
  if (void* const library = dlopen(in_toolkit.c_str(), RTLD_NOW | RTLD_LOCAL)) return library;
  throw kit::Unavailable(fmt::format("cuBLASLt cannot be loaded: {}", dlerror()));
}

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return;
  throw kit::Unavailable(fmt::format("{} has no {}: it is too old", library_name(), name));
}

// A rate is said of the type that it is named after: nothing may have the library compute it with
// narrower units. The harness strips all that begins like these; here it is for a run by hand. It
// reads them when it is loaded or first used, and no second thread runs yet.
void forget_emulation() {
  for (const char* name :
       {"CUBLAS_EMULATE_SINGLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION",
        "CUBLAS_EMULATION_STRATEGY", "CUBLAS_FIXEDPOINT_EMULATION_MANTISSA_BIT_COUNT",
        "NVIDIA_TF32_OVERRIDE"}) {
    (void)unsetenv(name);
  }
}

Api load_all() {
  forget_emulation();
  void* const library = load();
  Api all{};
  find(library, "cublasLtCreate", all.create);
  find(library, "cublasLtDestroy", all.destroy);
  find(library, "cublasLtGetVersion", all.version);
  find(library, "cublasLtGetStatusName", all.status_name);
  find(library, "cublasLtGetStatusString", all.status_string);
  find(library, "cublasLtMatrixLayoutCreate", all.layout_create);
  find(library, "cublasLtMatrixLayoutDestroy", all.layout_destroy);
  find(library, "cublasLtMatmulDescCreate", all.desc_create);
  find(library, "cublasLtMatmulDescDestroy", all.desc_destroy);
  find(library, "cublasLtMatmulDescSetAttribute", all.desc_set);
  find(library, "cublasLtMatmulPreferenceCreate", all.preference_create);
  find(library, "cublasLtMatmulPreferenceDestroy", all.preference_destroy);
  find(library, "cublasLtMatmulPreferenceSetAttribute", all.preference_set);
  find(library, "cublasLtMatmulAlgoGetHeuristic", all.heuristic);
  find(library, "cublasLtMatmulAlgoConfigGetAttribute", all.algo_get);
  find(library, "cublasLtMatmul", all.matmul);
  return all;
}

}  // namespace

const Api& api() {
  static const Api kAll = load_all();
  return kAll;
}

std::map<std::string, std::string> libraries() {
  std::map<std::string, std::string> all = kit::cuda::libraries();
  if (kit::cuda::is_selected()) all["cublasLt"] = version_text(api().version());
  return all;
}

std::string version_text(std::size_t number) {
  // Two digits for the minor and patch numbers each, since version 12.
  return fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
}

void require(cublasStatus_t status, const char* call, const char* file, int line) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  kit::cuda::fail(call, file, line, api().status_name(status), api().status_string(status));
}

}  // namespace rackproof::cublas

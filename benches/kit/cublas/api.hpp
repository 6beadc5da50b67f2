#pragma once

#include <cublasLt.h>

#include <map>
#include <string>

namespace rackproof::cublas {

/// The functions of cuBLASLt that are used, as the loaded library has them.
struct Api {
  decltype(&::cublasLtCreate) create;
  decltype(&::cublasLtDestroy) destroy;
  decltype(&::cublasLtGetVersion) version;
  decltype(&::cublasLtGetStatusName) status_name;
  decltype(&::cublasLtGetStatusString) status_string;
  decltype(&::cublasLtMatrixLayoutCreate) layout_create;
  decltype(&::cublasLtMatrixLayoutDestroy) layout_destroy;
  decltype(&::cublasLtMatmulDescCreate) desc_create;
  decltype(&::cublasLtMatmulDescDestroy) desc_destroy;
  decltype(&::cublasLtMatmulDescSetAttribute) desc_set;
  decltype(&::cublasLtMatmulPreferenceCreate) preference_create;
  decltype(&::cublasLtMatmulPreferenceDestroy) preference_destroy;
  decltype(&::cublasLtMatmulPreferenceSetAttribute) preference_set;
  decltype(&::cublasLtMatmulAlgoGetHeuristic) heuristic;
  decltype(&::cublasLtMatmulAlgoConfigGetAttribute) algo_get;
  decltype(&::cublasLtMatmul) matmul;
};

/// The library, loaded by the first call. Throws Unavailable when it cannot be loaded. Look for a
/// device before: loading takes a while.
const Api& api();

/// kit::cuda::libraries(), and {"cublasLt": version} once a device was selected, before which
/// nothing is loaded: it may start the driver.
std::map<std::string, std::string> libraries();

/// "13.1.0" for the number that cublasLtGetVersion() gives.
std::string version_text(std::size_t number);

/// Throws DeviceError for anything but success: the call, its place, the status and its meaning.
void require(cublasStatus_t status, const char* call, const char* file, int line);

}  // namespace rackproof::cublas

/// Around every call of cuBLASLt.
#define RACKPROOF_CUBLAS(call) ::rackproof::cublas::require((call), #call, __FILE__, __LINE__)

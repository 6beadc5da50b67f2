#include "benches/kit/blas/cblas.hpp"

#include <cblas.h>
#include <dlfcn.h>
#include <omp.h>

#include <array>

#include "benches/kit/errors.hpp"
#include "benches/kit/host.hpp"

namespace rackproof::blas {
namespace {

// A function of the library that may or may not be there: each vendor has its own beside CBLAS.
template <class Function>
Function* find(const char* symbol) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, symbol));
}

// "0.3.21 DYNAMIC_ARCH USE_OPENMP Haswell MAX_THREADS=64": the core is that of the machine it was
// built on, or the one in use, depending on the version.
std::string openblas_config() {
  auto* const config = find<char*()>("openblas_get_config");
  if (config == nullptr) return {};
  const std::string text = config();
  constexpr std::string_view kName = "OpenBLAS ";
  return text.starts_with(kName) ? text.substr(kName.size()) : text;
}

std::string openblas_version() {
  const std::string config = openblas_config();
  const std::string core = openblas_core();
  return config.empty() || core.empty() ? config : config + " core=" + core;
}

std::string mkl_version() {
  auto* const version = find<void(char*, int)>("MKL_Get_Version_String");
  if (version == nullptr) return {};
  std::array<char, 256> text{};
  version(text.data(), static_cast<int>(text.size()) - 1);
  return text.data();
}

std::string nvpl_version() {
  auto* const version = find<int()>("nvpl_blas_get_version");
  if (version == nullptr) return {};
  const int number = version();
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." +
         std::to_string(number % 100);
}

std::string blis_version() {
  auto* const version = find<const char*()>("bli_info_get_version_str");
  return version == nullptr ? std::string{} : version();
}

struct Vendor {
  const char* name;
  std::string (*version)();
  const char* set_threads;
  const char* get_threads;
  bool wide;  // counts threads in 64 bits
};
constexpr std::array<Vendor, 4> kVendors{{
    {"OpenBLAS", openblas_version, "openblas_set_num_threads", "openblas_get_num_threads", false},
    {"MKL", mkl_version, "MKL_Set_Num_Threads", "MKL_Get_Max_Threads", false},
    {"NVPL BLAS", nvpl_version, "nvpl_blas_set_num_threads", "nvpl_blas_get_max_threads", false},
    {"BLIS", blis_version, "bli_thread_set_num_threads", "bli_thread_get_num_threads", true},
}};

}  // namespace

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, double alpha, const double* a,
              const double* b, double* c) {
  const auto rows = static_cast<int>(m);
  const auto columns = static_cast<int>(n);
  const auto depth = static_cast<int>(k);
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, alpha, a, depth, b,
              columns, 0.0, c, columns);
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, const float* a,
              const float* b, float* c) {
  const auto rows = static_cast<int>(m);
  const auto columns = static_cast<int>(n);
  const auto depth = static_cast<int>(k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, alpha, a, depth, b,
              columns, 0.0F, c, columns);
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, float alpha, Form form_a,
              const float* a, Form form_b, const float* b, float beta, float* c) {
  const bool turned_a = form_a == Form::kTransposed;
  const bool turned_b = form_b == Form::kTransposed;
  cblas_sgemm(CblasRowMajor, turned_a ? CblasTrans : CblasNoTrans,
              turned_b ? CblasTrans : CblasNoTrans, static_cast<int>(m), static_cast<int>(n),
              static_cast<int>(k), alpha, a, static_cast<int>(turned_a ? m : k), b,
              static_cast<int>(turned_b ? k : n), beta, c, static_cast<int>(n));
}

std::map<std::string, std::string> libraries() {
  std::map<std::string, std::string> found;
  for (const Vendor& vendor : kVendors) {
    const std::string version = vendor.version();
    if (!version.empty()) found[vendor.name] = version;
  }
  if (found.empty()) found["CBLAS"] = "unknown";
  return found;
}

std::string openblas_core() {
  auto* const core = find<char*()>("openblas_get_corename");
  return core == nullptr ? std::string{} : core();
}

std::string openblas_release() {
  const std::string config = openblas_config();
  return config.substr(0, config.find(' '));
}

int set_threads(int threads) {
  omp_set_num_threads(threads);
  for (const Vendor& vendor : kVendors) {
    if (vendor.wide) {
      auto* const set = find<void(std::int64_t)>(vendor.set_threads);
      auto* const get = find<std::int64_t()>(vendor.get_threads);
      if (set == nullptr || get == nullptr) continue;
      set(threads);
      return static_cast<int>(get());
    }
    auto* const set = find<void(int)>(vendor.set_threads);
    auto* const get = find<int()>(vendor.get_threads);
    if (set == nullptr || get == nullptr) continue;
    set(threads);
    return get();
  }
  return 0;
}

int use_threads(std::int64_t asked) {
  const int cores = kit::physical_cores(kit::allowed_cpus());
  const int threads = asked > 0 ? static_cast<int>(asked) : cores;
  const int used = set_threads(threads);
  if (asked > 0 && used > 0 && used != threads) {
    throw kit::UsageError("--threads " + std::to_string(threads) + ": the BLAS library uses " +
                          std::to_string(used) + " at most");
  }
  return used > 0 ? used : threads;
}

}  // namespace rackproof::blas

#include "harness/warden/environment.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it declared by us

namespace rackproof::warden {
namespace {

// Launchers: a child that inherits these and calls MPI_Init wrecks its parent rank.
constexpr std::array<std::string_view, 21> kPrefixes = {
    "OMPI_", "PMIX_", "PMI_",   "PRTE_",  "ORTE_", "OPAL_",     "HYDRA_",
    "HYDI_", "MPI_",  "I_MPI_", "IPATH_", "HFI_",  "SLURM_",    "FLUX_",
    "PALS_", "OMP_",  "GOMP_",  "KMP_",   "MKL_",  "OPENBLAS_", "RACKPROOF_"};
constexpr std::array<std::string_view, 2> kNames = {"NVPL_NUM_THREADS", "GOTO_NUM_THREADS"};
// Each makes the C library, CUDA, OpenSSL or hwloc load what its value names, or changes how they
// load. All of the dynamic loader's own begin with LD_.
constexpr std::array<std::string_view, 11> kHooks = {"GLIBC_TUNABLES",
                                                     "GCONV_PATH",
                                                     "OPENSSL_CONF",
                                                     "OPENSSL_ENGINES",
                                                     "OPENSSL_MODULES",
                                                     "HWLOC_PLUGINS_PATH",
                                                     "LOCPATH",
                                                     "CUDA_INJECTION32_PATH",
                                                     "CUDA_INJECTION64_PATH",
                                                     "NVTX_INJECTION32_PATH",
                                                     "NVTX_INJECTION64_PATH"};
// What changes the arithmetic of a product, or which kernels compute it, unseen: emulation of fp32
// and fp64 by narrower units, tf32 switched off, a list of heuristics.
constexpr std::array<std::string_view, 3> kArithmetic = {"CUBLAS_", "CUBLASLT_",
                                                         "NVIDIA_TF32_OVERRIDE"};
constexpr const char* kLibraryPath = "LD_LIBRARY_PATH";
// Which GPUs a program sees is for the plan to say: each attempt on a device gets its own, and one
// on a whole node all of them.
constexpr const char* kVisible = "CUDA_VISIBLE_DEVICES";

template <class Names>
bool contains(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

template <class Prefixes>
bool begins_with_one(const Prefixes& prefixes, std::string_view name) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

bool is_trusted(const std::string& folder) {
  struct stat status {};
  return folder.starts_with('/') && stat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
         (status.st_mode & S_IWOTH) == 0;
}

}  // namespace

bool is_hook(std::string_view name) {
  return contains(kHooks, name) || (name.starts_with("LD_") && name != kLibraryPath);
}

bool changes_results(std::string_view name) {
  return name == kVisible || begins_with_one(kArithmetic, name);
}

bool is_stripped(std::string_view name) {
  if (name == kDroppedVariable || name == kHiddenVariable) return false;
  return is_hook(name) || changes_results(name) || contains(kNames, name) ||
         begins_with_one(kPrefixes, name);
}

std::string trusted_folders(std::string_view path) {
  std::string kept;
  while (!path.empty()) {
    const std::size_t end = std::min(path.find(':'), path.size());
    const std::string folder(path.substr(0, end));
    if (is_trusted(folder)) kept += (kept.empty() ? "" : ":") + folder;
    path.remove_prefix(std::min(end + 1, path.size()));
  }
  return kept;
}

void settle_environment() {
  std::vector<std::string> dropped;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const std::string_view name = line.substr(0, line.find('='));
    if (is_hook(name) || changes_results(name)) dropped.emplace_back(name);
  }
  if (const char* const visible = std::getenv(kVisible)) {
    setenv(kHiddenVariable, visible, 1);
  } else {
    unsetenv(kHiddenVariable);
  }
  if (const char* const path = std::getenv(kLibraryPath)) {
    const std::string before = path;
    const std::string kept = trusted_folders(before);
    if (kept != before) dropped.emplace_back(std::string("folders of ") + kLibraryPath);
    if (kept.empty()) {
      unsetenv(kLibraryPath);
    } else {
      setenv(kLibraryPath, kept.c_str(), 1);
    }
  }
  unsetenv(kDroppedVariable);
  if (dropped.empty()) return;
  std::sort(dropped.begin(), dropped.end());
  std::string text;
  for (const std::string& one : dropped) text += (text.empty() ? "" : ", ") + one;
  setenv(kDroppedVariable, text.c_str(), 1);
}

std::vector<std::string> child_environment(char** ours,
                                           const std::map<std::string, std::string>& set) {
  std::vector<std::string> out;
  for (char** entry = ours; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const std::string_view name = line.substr(0, line.find('='));
    if (!is_stripped(name) && !set.contains(std::string(name))) out.emplace_back(line);
  }
  for (const auto& [name, value] : set) out.push_back(name + "=" + value);
  return out;
}

}  // namespace rackproof::warden

#include "harness/config/step_environment.hpp"

#include <algorithm>
#include <array>

namespace rackproof::config {
namespace {

// Variables that would change which program runs, on which devices and with which arithmetic, bring
// foreign code into it, or speak to the launcher or to the harness.
bool is_reserved_variable(const std::string& name) {
  constexpr std::array kWhole = {"PATH",
                                 "HOME",
                                 "IFS",
                                 "SHELL",
                                 "ENV",
                                 "BASH_ENV",
                                 "GLIBC_TUNABLES",
                                 "GCONV_PATH",
                                 "LOCPATH",
                                 "OPENSSL_CONF",
                                 "OPENSSL_ENGINES",
                                 "OPENSSL_MODULES",
                                 "HWLOC_PLUGINS_PATH",
                                 "CUDA_INJECTION32_PATH",
                                 "CUDA_INJECTION64_PATH",
                                 "CUDA_VISIBLE_DEVICES",
                                 "NVIDIA_TF32_OVERRIDE",
                                 "NVTX_INJECTION32_PATH",
                                 "NVTX_INJECTION64_PATH",
                                 "NCCL_ENV_PLUGIN",
                                 "NCCL_NET_PLUGIN",
                                 "NCCL_PROFILER_PLUGIN",
                                 "NCCL_TUNER_PLUGIN",
                                 "UCX_MODULE_DIR",
                                 "FI_PROVIDER_PATH"};
  constexpr std::array kPrefixes = {"LD_",  "RACKPROOF_", "OMPI_",   "PMIX_",
                                    "PMI_", "SLURM_",     "CUBLAS_", "CUBLASLT_"};
  return std::any_of(kWhole.begin(), kWhole.end(),
                     [&](const char* word) { return name == word; }) ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](const char* prefix) { return name.rfind(prefix, 0) == 0; });
}

bool is_variable(const std::string& name) {
  const auto is_word = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !name.empty() && name.size() <= 64 && !(name.front() >= '0' && name.front() <= '9') &&
         std::all_of(name.begin(), name.end(), is_word);
}

}  // namespace

std::map<std::string, std::string> read_step_environment(const document::Field& field,
                                                         std::size_t longest) {
  std::map<std::string, std::string> environment;
  for (const auto& [name, value] : field.members()) {
    if (!is_variable(name)) value.fail("expected a variable name of letters, digits and '_'");
    if (is_reserved_variable(name)) {
      value.fail("a suite may not set " + name +
                 "; it would change which program runs, where or how, or "
                 "belongs to the launcher");
    }
    environment[name] = value.text(longest);
  }
  return environment;
}

}  // namespace rackproof::config

#include "harness/warden/environment.hpp"

#include <array>

namespace rackproof::warden {
namespace {

// Launchers: a child that inherits these and calls MPI_Init wrecks its parent rank.
constexpr std::array<std::string_view, 21> kPrefixes = {
    "OMPI_", "PMIX_", "PMI_",   "PRTE_",  "ORTE_", "OPAL_",     "HYDRA_",
    "HYDI_", "MPI_",  "I_MPI_", "IPATH_", "HFI_",  "SLURM_",    "FLUX_",
    "PALS_", "OMP_",  "GOMP_",  "KMP_",   "MKL_",  "OPENBLAS_", "RACKPROOF_"};
constexpr std::array<std::string_view, 4> kNames = {"LD_PRELOAD", "LD_AUDIT", "NVPL_NUM_THREADS",
                                                    "GOTO_NUM_THREADS"};

}  // namespace

bool is_stripped(std::string_view name) {
  for (const auto prefix : kPrefixes) {
    if (name.starts_with(prefix)) return true;
  }
  for (const auto whole : kNames) {
    if (name == whole) return true;
  }
  return false;
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

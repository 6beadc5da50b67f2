#include "harness/fleet/launcher.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string_view>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX wants it declared by us

namespace rackproof::fleet {
namespace {

int number(const std::map<std::string, std::string>& environment, const char* name) {
  const auto found = environment.find(name);
  return found == environment.end() ? 0 : std::atoi(found->second.c_str());
}

}  // namespace

Launcher detect_launcher(const std::map<std::string, std::string>& environment) {
  Launcher launcher;
  const bool slurm_step = environment.contains("SLURM_STEP_ID");
  if (environment.contains("OMPI_COMM_WORLD_SIZE")) {
    launcher.name = "mpirun";
    launcher.size = number(environment, "OMPI_COMM_WORLD_SIZE");
    launcher.rank = number(environment, "OMPI_COMM_WORLD_RANK");
    launcher.local_rank = number(environment, "OMPI_COMM_WORLD_LOCAL_RANK");
    launcher.wants_mpi = true;
    launcher.outlives_ranks = number(environment, "OMPI_MCA_orte_enable_recovery") != 0;
  } else if (environment.contains("PMIX_RANK")) {
    launcher.name = slurm_step ? "srun" : "pmix";
    launcher.size = number(environment, "SLURM_STEP_NUM_TASKS");
    launcher.rank = number(environment, "PMIX_RANK");
    launcher.local_rank = number(environment, "SLURM_LOCALID");
    launcher.wants_mpi = true;
  } else if (environment.contains("PMI_RANK")) {
    launcher.name = "pmi";
    launcher.size = number(environment, "PMI_SIZE");
    launcher.rank = number(environment, "PMI_RANK");
    launcher.wants_mpi = true;
  } else if (slurm_step && number(environment, "SLURM_STEP_NUM_TASKS") > 1) {
    launcher.name = "srun";
    launcher.size = number(environment, "SLURM_STEP_NUM_TASKS");
    launcher.rank = number(environment, "SLURM_PROCID");
    launcher.problem =
        "srun started several tasks without PMIx, so each would be a run of its own; "
        "start it with srun --mpi=pmix";
  }
  return launcher;
}

std::map<std::string, std::string> own_environment() {
  std::map<std::string, std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view line(*entry);
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    out.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  return out;
}

}  // namespace rackproof::fleet

#include "harness/inventory/doctor.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>
#include <utility>

#include "harness/inventory/file_tree.hpp"
#include "reports/model/fact_name.hpp"
#include "reports/model/report.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

using Environment = std::map<std::string, std::string>;

constexpr double kMebi = 1048576.0;
// Open MPI's session folder holds the shared-memory segments of all local ranks.
constexpr double kSmallestTemporary = 64 * kMebi;
constexpr double kComfortableTemporary = 1024 * kMebi;
// Docker's default for /dev/shm is 64 MiB, too little for the buffers of many ranks.
constexpr double kSmallestShm = 512 * kMebi;
// Below this, verbs cannot register the buffers of one rank.
constexpr double kSmallestMemlock = 64 * kMebi;
constexpr double kFewestFiles = 1024;

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string mebibytes(double bytes) { return number(bytes / kMebi) + " MiB"; }

bool has(const Environment& environment, const std::string& name) {
  const auto found = environment.find(name);
  return found != environment.end() && !found->second.empty();
}

bool under_mpi(const Environment& environment) {
  return has(environment, "OMPI_COMM_WORLD_RANK") || has(environment, "PMIX_RANK") ||
         has(environment, "PMI_RANK");
}

std::optional<Complaint> refused_root(const Environment& environment,
                                      const Surroundings& surroundings) {
  const auto allows = [&](const std::string& name) {
    const auto found = environment.find(name);
    return found != environment.end() && found->second == "1";
  };
  if (!surroundings.is_root || !surroundings.mpirun || under_mpi(environment)) return std::nullopt;
  if (allows("OMPI_ALLOW_RUN_AS_ROOT") && allows("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")) {
    return std::nullopt;
  }
  return Complaint{"mpi-root-refused",
                   "you are root, and Open MPI's mpirun refuses to start as root",
                   "run as an ordinary user, or: export OMPI_ALLOW_RUN_AS_ROOT=1 "
                   "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                   true, true};
}

std::optional<Complaint> small_temporary(const Surroundings& surroundings) {
  const std::string& folder = surroundings.temporary_directory;
  if (!surroundings.temporary_free_bytes) {
    return Complaint{
        "tmp-unusable",
        "the temporary folder " + folder + " cannot be written: " + surroundings.temporary_problem,
        "export TMPDIR=<a writable folder on a local disk>", true};
  }
  const double free = *surroundings.temporary_free_bytes;
  if (free >= kComfortableTemporary) return std::nullopt;
  return Complaint{"tmp-too-small",
                   "the temporary folder " + folder + " has " + mebibytes(free) +
                       " free; Open MPI keeps its session files there and fails with obscure "
                       "messages when they do not fit",
                   "free some space in " + folder + ", or export TMPDIR=<a folder with 1 GiB free>",
                   free < kSmallestTemporary, true};
}

std::optional<Complaint> missing_pmi(const Environment& environment) {
  const auto tasks = environment.find("SLURM_STEP_NUM_TASKS");
  if (tasks == environment.end() || under_mpi(environment)) return std::nullopt;
  const auto count = to_integer(tasks->second);
  if (!count || *count < 2) return std::nullopt;
  return Complaint{"launcher-without-pmi",
                   "this is a Slurm step of " + tasks->second +
                       " tasks without PMIx: each task would be a run of its own with one rank",
                   "srun --mpi=pmix ...", true};
}

std::optional<Complaint> low_memlock(const model::NodeInventory& node) {
  const auto adapters = model::number_of(node, fact_name::kInfinibandCount);
  const auto limit = model::number_of(node, fact_name::kLimitMemlockBytes);
  if (!adapters || *adapters < 1 || !limit) return std::nullopt;
  const auto memory = model::number_of(node, fact_name::kMemoryTotalBytes);
  if (memory && *limit >= *memory) return std::nullopt;
  return Complaint{
      "memlock-low",
      number(*adapters) + " InfiniBand adapters, but only " + mebibytes(*limit) +
          " of memory may be locked; RDMA registers its buffers by locking them",
      "ulimit -l unlimited (permanently: '* - memlock unlimited' in "
      "/etc/security/limits.conf; with Slurm: LimitMEMLOCK=infinity in slurmd.service)",
      *limit < kSmallestMemlock};
}

std::optional<Complaint> few_files(const model::NodeInventory& node) {
  const auto limit = model::number_of(node, fact_name::kLimitOpenFiles);
  if (!limit || *limit >= kFewestFiles) return std::nullopt;
  return Complaint{"few-file-descriptors",
                   "only " + number(*limit) + " files may be open at once in a process",
                   "ulimit -n 65536", false};
}

std::optional<Complaint> slow_governor(const model::NodeInventory& node) {
  const auto governor = model::text_of(node, fact_name::kCpuGovernor);
  if (!governor || *governor == "performance") return std::nullopt;
  return Complaint{"slow-governor",
                   "the CPU frequency governor is '" + *governor + "', not 'performance'",
                   "cpupower frequency-set -g performance", false};
}

std::optional<Complaint> limited_cpus(const model::NodeInventory& node) {
  const auto quota = model::number_of(node, fact_name::kCgroupCpus);
  const auto threads = model::number_of(node, fact_name::kCpuUsableThreads);
  if (!quota || !threads || *quota >= *threads) return std::nullopt;
  return Complaint{
      "cpu-limit",
      "a cgroup limits this process to " + number(*quota) + " CPUs of " + number(*threads) +
          ": threads will be stopped in the middle of measurements",
      "ask the scheduler or container runtime for whole CPUs (docker: drop --cpus, use "
      "--cpuset-cpus)",
      false};
}

std::optional<Complaint> small_shm(const Surroundings& surroundings) {
  if (!surroundings.shm_bytes || *surroundings.shm_bytes >= kSmallestShm) return std::nullopt;
  return Complaint{"small-shm",
                   "/dev/shm holds only " + mebibytes(*surroundings.shm_bytes) +
                       "; ranks on one node exchange data through it",
                   "mount -o remount,size=8g /dev/shm (docker: --shm-size=8g)", false};
}

std::optional<Complaint> no_launcher(const Environment& environment,
                                     const Surroundings& surroundings) {
  if (surroundings.mpirun || under_mpi(environment)) return std::nullopt;
  return Complaint{"no-launcher",
                   "mpirun is not in PATH: only solo runs are possible, and collectives stay "
                   "untested",
                   "apt-get install openmpi-bin, or load your site's MPI module", false};
}

// What a suite that says nothing else lets pass.
std::optional<Complaint> busy_machine(const Surroundings& surroundings) {
  const double share = model::JudgePolicy{}.disturbed_share;
  if (model::taken_share(surroundings.load) <= share) return std::nullopt;
  return Complaint{"busy-machine",
                   "other programs run here: " + model::to_text(surroundings.load) +
                       " while this looked; what is measured now would not count",
                   "find them with 'top' and stop them, or drain the node first", false};
}

// Its cells would be untested; the others are measured.
Complaint refusing_bench(const Refusal& refusal) {
  if (refusal.variable.empty()) {
    return Complaint{"bench-refuses",
                     refusal.program + " would measure nothing here: " + refusal.why,
                     "change what it names; until then its cells stay untested", false};
  }
  const std::string name = refusal.variable.substr(0, refusal.variable.find('='));
  return Complaint{
      "bench-refuses",
      "with " + refusal.variable + " in the environment, " + refusal.program +
          " started by hand would measure nothing (a run keeps the variable from it): " +
          refusal.why,
      "unset " + name, false};
}

}  // namespace

std::vector<Complaint> examine(const model::NodeInventory& node, const Environment& environment,
                               const Surroundings& surroundings) {
  std::vector<Complaint> complaints;
  for (auto& complaint : {refused_root(environment, surroundings), small_temporary(surroundings),
                          missing_pmi(environment), low_memlock(node), few_files(node),
                          slow_governor(node), limited_cpus(node), small_shm(surroundings),
                          no_launcher(environment, surroundings), busy_machine(surroundings)}) {
    if (complaint) complaints.push_back(*complaint);
  }
  for (const Refusal& refusal : surroundings.refusals) {
    complaints.push_back(refusing_bench(refusal));
  }
  std::stable_partition(complaints.begin(), complaints.end(),
                        [](const Complaint& complaint) { return complaint.blocking; });
  return complaints;
}

}  // namespace rackproof::inventory

#include <array>

#include "reports/catalogue/catalogue_tables.hpp"

namespace rackproof::catalogue {
namespace {
namespace errors {

constexpr std::string_view kKind = "error";

constexpr std::array kEntries = {
    CatalogueEntry{
        "bench-missing", kKind, "a bench program was not found",
        "The suite needs a bench program that is not installed, or that was left out at build time "
        "because a library was missing.",
        "rackproof list shows the benches and features of this build and what each missing one "
        "needs. Install that package and build again, or skip the step with --exclude."},
    CatalogueEntry{"no-mpi-build", kKind, "started by a launcher, but built without MPI",
                   "mpirun or srun started several copies, but this program was built without MPI: "
                   "there would be that many separate runs of one rank.",
                   "Build with MPI (scripts/setup installs it), or start it without the launcher."},
    CatalogueEntry{
        "mpi-missing", kKind, "there is a launcher, but its ranks lack MPI",
        "Ranks of a launcher are processes of rackproof-mpi, which is linked with an MPI library. "
        "That program is not installed beside rackproof, or the library cannot be loaded. "
        "Everything else works without MPI.",
        "Install the package rackproof-mpi, and Open MPI 4 or 5 (apt-get install openmpi-bin), or "
        "load your site's MPI module. rackproof doctor says what it finds."},
    CatalogueEntry{
        "mpi-mismatch", kKind, "mpirun and the MPI library belong to two installations",
        "The launcher in PATH is of another family or major version than the library that ranks "
        "would load. They do not find each other: each rank would be alone, which is refused.",
        "Put the mpirun of the library first in PATH, or the library of that mpirun in "
        "LD_LIBRARY_PATH. A site's MPI module does both."},
    CatalogueEntry{"launcher-without-pmi", kKind,
                   "launcher and MPI library use different process-management interfaces",
                   "A launcher started several processes, but MPI sees one rank in each: they use "
                   "different process-management interfaces.",
                   "With Slurm use srun --mpi=pmix (srun --mpi=list shows the choices). With "
                   "mpirun use the one of the library: rackproof doctor names both."},
    CatalogueEntry{
        "bench-refuses", kKind, "a bench would give a meaningless number here",
        "The bench reports that its number would say nothing about this machine, for example "
        "because its BLAS library uses kernels for an older CPU. Its cells stay untested, and the "
        "run is incomplete. A variable of your shell, such as OPENBLAS_CORETYPE, can also be the "
        "cause: rackproof does not pass it to benches, but a bench started by hand gets it.",
        "Follow rackproof doctor: unset the variable, or install an OpenBLAS built with "
        "DYNAMIC_ARCH that has kernels for this CPU."},
    CatalogueEntry{"mpi-root-refused", kKind, "mpirun refuses to run as root",
                   "Open MPI refuses to start as root unless two variables permit it.",
                   "Run as an ordinary user. In a container that has only root, set "
                   "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1."},
    CatalogueEntry{"tmp-too-small", kKind, "the temporary directory has too little space",
                   "The launcher and the MPI library keep session files and shared memory there. "
                   "When it is full they fail at start with messages that do not name the cause.",
                   "Free space in the directory named, or set TMPDIR to a short path with enough "
                   "space on every host. For /dev/shm in a container, raise --shm-size."},
    CatalogueEntry{
        "memlock-low", kKind, "the limit for locked memory is low",
        "RDMA and pinned buffers need locked memory, and the limit for this process is small. "
        "Fabric benches would fail or fall back to a slow path.",
        "Set memlock to unlimited in /etc/security/limits.d for users, LimitMEMLOCK=infinity in "
        "the batch daemon's unit, or --ulimit memlock=-1 for a container."},
    CatalogueEntry{
        "tmp-unusable", kKind, "the temporary directory cannot be written",
        "The launcher, the MPI library and some drivers need a temporary directory, and the one "
        "that TMPDIR names (or /tmp) cannot be written.",
        "Set TMPDIR to a writable directory on a local disk of every host, with a short path."},
    CatalogueEntry{"few-file-descriptors", kKind, "the limit of open files is low",
                   "A rank that starts many benches, or MPI with many peers, may fail with 'Too "
                   "many open files' in the middle of a run.",
                   "Raise it with ulimit -n 65536 before the start, or permanently in "
                   "/etc/security/limits.d or the unit of the batch daemon."},
    CatalogueEntry{
        "slow-governor", kKind, "the CPU frequency governor is not 'performance'",
        "The kernel lowers clocks when cores seem idle, so numbers are lower and scatter more than "
        "necessary.",
        "Set it on every host with cpupower frequency-set -g performance, and measure again."},
    CatalogueEntry{"cpu-limit", kKind, "a cgroup allows fewer CPUs than the process can see",
                   "A quota stops threads in the middle of a measurement once their share of a "
                   "period is used up. Rates drop and times scatter.",
                   "Ask the scheduler or container runtime for whole CPUs (docker: drop --cpus and "
                   "use --cpuset-cpus)."},
    CatalogueEntry{
        "small-shm", kKind, "the shared memory file system is small",
        "Ranks on one node exchange data through /dev/shm. When it is full they fail with a bus "
        "error or fall back to a slower path.",
        "Enlarge it with mount -o remount,size=8g /dev/shm, in a container with --shm-size=8g."},
    CatalogueEntry{"no-launcher", kKind, "mpirun was not found",
                   "No MPI launcher is in PATH, so only runs of one rank are possible and "
                   "measurements between ranks stay untested.",
                   "Install it (apt-get install openmpi-bin) or load your site's MPI module. "
                   "rackproof doctor says whether it fits the MPI library."},
    CatalogueEntry{
        "busy-machine", kKind, "other work runs on the machine",
        "Other programs or the hypervisor used CPU time during this check. Measurements would "
        "share cores, caches and memory bandwidth with them, and a run would not count them.",
        "Find the programs with top and stop them, or drain the node in the batch system."},
};

}  // namespace errors
}  // namespace

std::span<const CatalogueEntry> error_entries() { return errors::kEntries; }

}  // namespace rackproof::catalogue

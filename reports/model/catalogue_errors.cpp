#include <array>

#include "reports/model/catalogue_tables.hpp"

namespace rackproof::model {
namespace {
namespace errors {

constexpr std::string_view kKind = "error";

constexpr std::array kEntries = {
    CatalogueEntry{
        "bench-missing", kKind, "a bench program was not found",
        "The suite names a bench and backend for which no program is installed beside this "
        "one, or it was left out at build time because a library was missing.",
        "rackproof list shows which benches and features are there and what each missing one "
        "needs. Install that package and build again, or leave the step out with --exclude."},
    CatalogueEntry{
        "no-mpi-build", kKind, "started by a launcher, but built without MPI",
        "The environment shows that mpirun or srun started several copies, and this program "
        "was built without MPI: it would run as that many separate runs of one rank that look "
        "like a result.",
        "Build with MPI (scripts/setup installs it), or start it alone without the launcher."},
    CatalogueEntry{
        "mpi-missing", kKind, "a launcher is here, but not what its ranks need",
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
    CatalogueEntry{
        "launcher-without-pmi", kKind,
        "the launcher and the MPI library do not understand each other",
        "A launcher started several processes, but MPI sees one rank in each: the launcher "
        "speaks another process-management interface than the library.",
        "With Slurm use srun --mpi=pmix (srun --mpi=list shows what is there). With mpirun "
        "use the one that belongs to the library: rackproof doctor names both."},
    CatalogueEntry{
        "bench-refuses", kKind, "a bench would measure nothing here",
        "The bench was asked and says that its number would say nothing of this machine: its BLAS "
        "library would use kernels for an older processor, say. Its cells stay untested, and the "
        "run is incomplete. A variable of your own shell can be the cause as well, such as "
        "OPENBLAS_CORETYPE: rackproof keeps it from the benches, but one that you start by hand "
        "gets it.",
        "Do what the sentence of rackproof doctor names: unset the variable, or install an "
        "OpenBLAS that was built with DYNAMIC_ARCH and has kernels for the processor."},
    CatalogueEntry{
        "mpi-root-refused", kKind, "mpirun refuses to run as root",
        "Open MPI refuses to start as the root user unless it is told twice that this is "
        "wanted.",
        "Run as an ordinary user. In a container where root is all there is, set "
        "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1."},
    CatalogueEntry{
        "tmp-too-small", kKind, "the temporary directory has too little space",
        "The launcher and the MPI library keep session files and shared memory there. When it "
        "is full they fail at start with messages that do not name the cause.",
        "Free space in the directory that is named, or set TMPDIR to a short path with room "
        "on every host. For /dev/shm in a container raise --shm-size."},
    CatalogueEntry{
        "memlock-low", kKind, "the limit for locked memory is low",
        "RDMA and pinned buffers need locked memory, and the limit for this process is small. "
        "Fabric benches would fail or fall back to a slow path.",
        "Set memlock to unlimited in /etc/security/limits.d for users, LimitMEMLOCK=infinity "
        "in the batch daemon's unit, or --ulimit memlock=-1 for a container."},
    CatalogueEntry{
        "tmp-unusable", kKind, "the temporary directory cannot be written",
        "The launcher, the MPI library and some drivers need a temporary directory, and the "
        "one that TMPDIR names (or /tmp) cannot be written.",
        "Set TMPDIR to a writable directory on a local disk of every host, with a short path."},
    CatalogueEntry{
        "few-file-descriptors", kKind, "few files may be open at once",
        "The limit for open files is low. A rank that starts many benches, or MPI with many "
        "peers, needs some for each and fails with 'Too many open files' in the middle of a "
        "run.",
        "Raise it before the start with ulimit -n 65536, for good in /etc/security/limits.d "
        "or the batch daemon's unit."},
    CatalogueEntry{
        "slow-governor", kKind, "the CPU frequency governor is not 'performance'",
        "The kernel lowers clocks when cores seem idle, so numbers come out lower and spread "
        "more than the machine can do.",
        "Set it on every host with cpupower frequency-set -g performance, and measure again."},
    CatalogueEntry{
        "cpu-limit", kKind, "a cgroup allows fewer CPUs than the process can see",
        "A quota stops threads in the middle of a measurement once their share of a period is "
        "used up. Rates become low and times spread widely.",
        "Ask the scheduler or container runtime for whole CPUs (docker: drop --cpus and use "
        "--cpuset-cpus)."},
    CatalogueEntry{
        "small-shm", kKind, "the shared memory file system is small",
        "Ranks on one node exchange data through /dev/shm. When it is full they fail with a "
        "bus error or fall back to a slower path.",
        "Enlarge it with mount -o remount,size=8g /dev/shm, in a container with "
        "--shm-size=8g."},
    CatalogueEntry{
        "no-launcher", kKind, "mpirun was not found",
        "No MPI launcher is in PATH, so only runs of one rank are possible and measurements "
        "between ranks stay untested.",
        "Install it (apt-get install openmpi-bin) or load your site's MPI module. rackproof doctor "
        "says whether it fits the MPI library."},
    CatalogueEntry{
        "busy-machine", kKind, "other work runs on the machine",
        "Programs that are no part of rackproof, or the hypervisor, took a part of the processors' "
        "time while this was looked at. Whatever is measured now shares cores, caches and memory "
        "bandwidth with them, and a run would not count it.",
        "Find it with top and end it, or drain the node in the batch system first."},
};

}  // namespace errors
}  // namespace

std::span<const CatalogueEntry> error_entries() { return errors::kEntries; }

}  // namespace rackproof::model

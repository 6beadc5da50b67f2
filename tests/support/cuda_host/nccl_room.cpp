#include "tests/support/cuda_host/nccl_room.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/support/cuda_host/streams.hpp"

namespace rackproof::cuda_host::nccl {
namespace {

void join(ncclComm* comm) {
  const bool first = comm->rank == 0;
  const Play::Together together = play().together;
  while (!comm->abort && together == Play::Together::kNever) nap();
  while (!comm->abort && (comm->room = map_room(comm->name, first)) == nullptr) nap();
  if (comm->abort) return;
  if (first) comm->room->ready = 1;
  while (!comm->abort && comm->room->ready == 0) nap();
  ++comm->room->joined;
  const int wanted = together == Play::Together::kAtOnce ? 1 : comm->ranks;
  while (!comm->abort && comm->room->joined < wanted) nap();
  if (comm->abort) return;
  // Whoever is to have it has it.
  if (first) remove_room(comm->name);
  log("INIT", fmt::format("comm 0x1 rank {} nRanks {} nNodes 1 localRanks {} localRank {} MNNVL 0",
                          comm->rank, comm->ranks, comm->ranks, comm->rank));
  log("INIT",
      "24 coll channels, 24 collnet channels, 0 nvls channels, 32 p2p channels, 32 p2p channels "
      "per peer");
  log("INIT", "Using network Socket");
  for (int i = 0; i < 2 && comm->ranks > 1; ++i) {
    log("INIT", fmt::format("Channel 0{}/0 : 0[0] -> 1[1] via P2P/CUMEM", i));
  }
  comm->state = ncclSuccess;
}

}  // namespace

void nap() { std::this_thread::sleep_for(std::chrono::microseconds(20)); }

Room* map_room(const std::string& name, bool make) {
  const int file = shm_open(name.c_str(), make ? O_RDWR | O_CREAT : O_RDWR, 0600);
  if (file < 0) return nullptr;
  struct stat state {};
  const bool there = (!make || ftruncate(file, sizeof(Room)) == 0) && fstat(file, &state) == 0 &&
                     static_cast<std::size_t>(state.st_size) >= sizeof(Room);
  void* const at =
      there ? mmap(nullptr, sizeof(Room), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) : MAP_FAILED;
  close(file);
  return at == MAP_FAILED ? nullptr : static_cast<Room*>(at);
}

void unmap_room(Room* room) { munmap(room, sizeof(Room)); }
void remove_room(const std::string& name) { (void)shm_unlink(name.c_str()); }

void log(const char* part, const std::string& text) {
  const char* const level = std::getenv("NCCL_DEBUG");
  const char* const file = std::getenv("NCCL_DEBUG_FILE");
  const char* const parts = std::getenv("NCCL_DEBUG_SUBSYS");
  if (level == nullptr || file == nullptr) return;
  if (parts != nullptr && std::strstr(parts, part) == nullptr) return;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (FILE* const to = std::fopen(file, "a")) {
    fmt::print(to, "host:{}:{} [0] NCCL INFO {}\n", getpid(), getpid(), text);
    (void)std::fclose(to);
  }
}

ncclComm* make(const std::string& name, int rank, int ranks) {
  if (ranks > kMostRanks && play().together != Play::Together::kNever)
    complain(fmt::format("more than {} ranks are not played here", kMostRanks));
  auto* const comm = new ncclComm;
  comm->name = name;
  comm->rank = rank;
  comm->ranks = ranks;
  comm->device = current_device();
  ++counts().communicators;
  comm->joiner = std::thread(join, comm);
  return comm;
}

bool barrier(ncclComm& comm) {
  Room& room = *comm.room;
  const std::uint64_t generation = room.generation;
  if (room.arrived.fetch_add(1) + 1 == static_cast<std::uint64_t>(comm.ranks)) {
    room.arrived = 0;
    ++room.generation;
    return !comm.stopped();
  }
  while (room.generation == generation) {
    if (comm.stopped()) return false;
    nap();
  }
  return !comm.stopped();
}

}  // namespace rackproof::cuda_host::nccl

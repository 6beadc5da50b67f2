#include <fmt/format.h>
#include <nccl.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/machine.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/nccl_room.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/support/cuda_host/streams.hpp"

// libnccl: an operation is work of its stream, as a kernel would be. It stands there until its
// peers come or the communicator is aborted.
using namespace rackproof::cuda_host;
using namespace rackproof::cuda_host::nccl;

namespace {

struct Queued {
  ncclComm* comm;
  cudaStream_t stream;
  std::vector<Collective> collectives;
  std::vector<Message> messages;
};
thread_local int depth = 0;
thread_local std::vector<Queued> group;

bool is_mine(const Fault& fault, const ncclComm& comm) { return fault.who == comm.rank; }

// Bit 3 of the first byte of what came.
void spoil(const Queued& queued) {
  if (!queued.collectives.empty()) queued.collectives.front().out[0] ^= 8;
  for (const Message& message : queued.messages) {
    if (message.send) continue;
    message.to[0] ^= 8;
    return;
  }
}

// What came out at this rank; nullptr: nothing did.
char* output_of(const Queued& queued) {
  for (const Collective& one : queued.collectives) {
    if (one.call.kind != Kind::kReduce || one.call.root == queued.comm->rank) return one.out;
  }
  for (const Message& message : queued.messages) {
    if (!message.send) return message.to;
  }
  return nullptr;
}

void show(const ncclComm& comm, std::int64_t number, char* out) {
  static std::mutex one_at_a_time;
  if (!play().came_out) return;
  const std::lock_guard lock(one_at_a_time);
  play().came_out(comm.rank, number, out);
}

void run(const Queued& queued) {
  ncclComm& comm = *queued.comm;
  const std::int64_t number = ++comm.operations;
  const Machine& faults = machine();
  if (is_mine(faults.slow, comm)) {
    std::this_thread::sleep_for(std::chrono::microseconds(faults.slow.when));
  }
  if (is_mine(faults.die, comm) && number >= faults.die.when) _exit(77);
  while (is_mine(faults.hang, comm) && number >= faults.hang.when && !comm.stopped()) nap();
  if (is_mine(faults.lost, comm) && number == faults.lost.when) comm.room->aborted = 1;
  if (comm.stopped()) return;
  for (const Collective& one : queued.collectives) do_collective(comm, one);
  if (!queued.messages.empty()) do_messages(comm, queued.messages);
  if (is_mine(faults.wrong, comm) && number == faults.wrong.when) spoil(queued);
  if (char* const out = output_of(queued); out != nullptr && !comm.stopped())
    show(comm, number, out);
}

ncclResult_t flush() {
  for (Queued& queued : std::exchange(group, {})) {
    const std::int64_t number = ++queued.comm->queued;
    const Fault& stop = machine().stop;
    if (is_mine(stop, *queued.comm) && number == stop.when) raise(SIGSTOP);
    const cudaStream_t stream = queued.stream;
    const auto held = is_capturing(stream) ? queued.comm->captured : nullptr;
    submit(stream, kNcclOperation, [held, one = std::move(queued)] { run(one); });
  }
  return ncclSuccess;
}

void require_own(const void* address, const ncclComm& comm) {
  const Area* const area = area_of(address);
  if (area == nullptr) complain("NCCL was given memory of the host");
  if (area->on_device() && area->device != comm.device) {
    complain("NCCL was given memory of another device than the communicator's");
  }
}

// The part of the group that belongs to this communicator and stream; nullptr when there cannot be
// one.
Queued* place_in_group(ncclComm_t comm, cudaStream_t stream) {
  if (comm == nullptr || comm->state != ncclSuccess) return nullptr;
  if (device_of(stream) != comm->device) {
    complain("NCCL was given a stream of another device than the communicator's");
  }
  for (Queued& queued : group) {
    if (queued.comm == comm && queued.stream == stream) return &queued;
  }
  return &group.emplace_back(Queued{comm, stream, {}, {}});
}

// True when a test of this process wants the call to fail.
bool is_refused(std::string_view call, ncclComm_t comm) {
  static std::mutex one_at_a_time;
  if (!play().queues || comm == nullptr) return false;
  const std::lock_guard lock(one_at_a_time);
  return !play().queues(call, comm->rank);
}

ncclResult_t add(ncclComm_t comm, cudaStream_t stream, Kind kind, const void* in, void* out,
                 std::size_t count, ncclDataType_t type, ncclRedOp_t redop = ncclSum,
                 int root = 0) {
  constexpr std::array kNames = {"AllReduce", "AllGather", "ReduceScatter",
                                 "Broadcast", "Reduce",    "AlltoAll"};
  if (is_refused(kNames[static_cast<std::size_t>(kind)], comm)) return ncclSystemError;
  Queued* const to = place_in_group(comm, stream);
  if (to == nullptr) return ncclInvalidArgument;
  require_own(in, *comm);
  require_own(out, *comm);
  to->collectives.push_back(
      {{kind, type, redop, root, count}, static_cast<const char*>(in), static_cast<char*>(out)});
  log("TUNING", fmt::format("{}: {} Bytes -> Algo RING proto SIMPLE channel{{Lo..Hi}}={{0..7}}",
                            kNames[static_cast<std::size_t>(kind)], count * size_of_type(type)));
  return depth == 0 ? flush() : ncclSuccess;
}

ncclResult_t add(ncclComm_t comm, cudaStream_t stream, const Message& message) {
  if (is_refused(message.send ? "Send" : "Recv", comm)) return ncclSystemError;
  Queued* const to = place_in_group(comm, stream);
  if (to == nullptr) return ncclInvalidArgument;
  require_own(message.send ? message.from : message.to, *comm);
  to->messages.push_back(message);
  return depth == 0 ? flush() : ncclSuccess;
}

// Until no graph holds work of it, as the real library does: it would wait for ever.
void wait_for_graphs(const ncclComm& comm) {
  constexpr int kSeconds = 20;
  for (int i = 0; comm.captured.use_count() > 1; ++i) {
    if (i > kSeconds * 1000)
      complain("ncclCommAbort waits for a graph that holds work of the communicator");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace

extern "C" {

ncclResult_t ncclGetVersion(int* version) {
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  static std::atomic<int> serial{0};
  *id = {};
  const std::string name = fmt::format("/rackproof-nccl-{}-{}", getpid(), serial++);
  std::memcpy(id->internal, name.c_str(), name.size() + 1);
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t result) {
  return result == ncclRemoteError ? "remote process exited or there was a network error"
                                   : "an error of an NCCL that a host plays";
}
const char* ncclGetLastError(ncclComm_t) { return "nothing more is known"; }
void ncclResetDebugInit() {}

ncclResult_t ncclCommInitRankConfig(ncclComm_t* to, int ranks, ncclUniqueId id, int rank,
                                    ncclConfig_t*) {
  *to = make(id.internal, rank, ranks);
  return ncclInProgress;
}
ncclResult_t ncclCommInitRankScalable(ncclComm_t* to, int ranks, int rank, int, ncclUniqueId* ids,
                                      ncclConfig_t*) {
  *to = make(ids[0].internal, rank, ranks);
  return ncclInProgress;
}
ncclResult_t ncclCommSplit(ncclComm_t comm, int, int, ncclComm_t* child, ncclConfig_t*) {
  *child = nullptr;  // until it is there, as the real one
  comm->child = make(fmt::format("{}.{}", comm->name, comm->splits++), comm->rank, comm->ranks);
  comm->child->device = comm->device;
  comm->wanted = child;
  return ncclInProgress;
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  *error = static_cast<ncclResult_t>(comm->state.load());
  if (*error == ncclSuccess && comm->child != nullptr) {
    *error = static_cast<ncclResult_t>(comm->child->state.load());
    if (*error == ncclSuccess) *comm->wanted = std::exchange(comm->child, nullptr);
  }
  if (*error == ncclSuccess && comm->room->aborted != 0) *error = ncclRemoteError;
  return ncclSuccess;
}
ncclResult_t ncclCommFinalize(ncclComm_t) { return ncclSuccess; }
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  --counts().communicators;
  wait_for_all(comm->device);
  if (comm->joiner.joinable()) comm->joiner.join();
  if (comm->room != nullptr) unmap_room(comm->room);
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  --counts().communicators;
  ++counts().aborted;
  comm->abort = true;
  if (comm->joiner.joinable()) comm->joiner.join();
  if (comm->room != nullptr) comm->room->aborted = 1;
  if (comm->rank == 0) remove_room(comm->name);
  wait_for_graphs(*comm);
  // Work that stands on a stream still looks at it: given away, not freed.
  return ncclSuccess;
}
ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() { return --depth == 0 ? flush() : ncclSuccess; }

ncclResult_t ncclAllReduce(const void* in, void* out, std::size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, Kind::kAllReduce, in, out, count, type, op);
}
ncclResult_t ncclAllGather(const void* in, void* out, std::size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, Kind::kAllGather, in, out, count, type);
}
ncclResult_t ncclReduceScatter(const void* in, void* out, std::size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, Kind::kReduceScatter, in, out, count, type, op);
}
ncclResult_t ncclBroadcast(const void* in, void* out, std::size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, Kind::kBroadcast, in, out, count, type, ncclSum, root);
}
ncclResult_t ncclReduce(const void* in, void* out, std::size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, Kind::kReduce, in, out, count, type, op, root);
}
ncclResult_t ncclAlltoAll(const void* in, void* out, std::size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream, Kind::kAllToAll, in, out, count, type);
}
ncclResult_t ncclSend(const void* in, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return add(comm, stream,
             {true, static_cast<const char*>(in), nullptr, count * size_of_type(type), peer});
}
ncclResult_t ncclRecv(void* out, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return add(comm, stream,
             {false, nullptr, static_cast<char*>(out), count * size_of_type(type), peer});
}

ncclResult_t ncclMemAlloc(void** to, std::size_t bytes) {
  return cudaMalloc(to, bytes) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
ncclResult_t ncclMemFree(void* memory) {
  return cudaFree(memory) == cudaSuccess ? ncclSuccess : ncclUnhandledCudaError;
}
ncclResult_t ncclCommRegister(ncclComm_t, void* memory, std::size_t, void** handle) {
  *handle = play().registers ? memory : nullptr;
  if (play().registers) ++counts().registrations;
  return ncclSuccess;
}
ncclResult_t ncclCommDeregister(ncclComm_t, void*) {
  --counts().registrations;
  return ncclSuccess;
}
ncclResult_t ncclCommWindowRegister(ncclComm_t, void*, std::size_t, ncclWindow_t* window, int) {
  *window = play().registers ? new ncclWindow_vidmem : nullptr;
  if (play().registers) ++counts().registrations;
  return ncclSuccess;
}
ncclResult_t ncclCommWindowDeregister(ncclComm_t, ncclWindow_t window) {
  --counts().registrations;
  delete window;
  return ncclSuccess;
}
}

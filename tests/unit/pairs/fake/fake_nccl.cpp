#include "tests/unit/pairs/fake/fake_nccl.hpp"

#include <cuda_runtime_api.h>
#include <nccl.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "benches/kit/clock.hpp"
#include "benches/kit/nccl/library.hpp"
#include "benches/kit/pattern/device.hpp"

using namespace rackproof;

// The handles are opaque to those who hold them.
struct CUevent_st {
  std::atomic<bool> reached{false};
  double time = 0;
};
struct CUstream_st {
  std::deque<std::function<bool()>> queue;  ///< each true when it is done
};
struct ncclComm {
  int rank = 0;
  int ranks = 1;
  std::int64_t gathers = 0;
  std::int64_t sends = 0;
};

namespace {

using Bytes = std::vector<std::byte>;
using fake_nccl::Machine;

std::mutex mutex;
Machine machine;
std::map<void*, std::pair<int, std::size_t>> areas;
std::map<std::pair<int, int>, std::deque<Bytes>> mail;
std::map<std::int64_t, std::map<int, Bytes>> gathers;
std::atomic<std::int64_t> handles{0};
std::atomic<std::int64_t> aborts{0};
std::atomic<std::int64_t> communicators{0};
std::atomic<std::int64_t> freed_beside{0};
thread_local int current = 0;
thread_local int depth = 0;
thread_local std::vector<std::function<void()>> sends_in_group;
thread_local std::vector<std::function<void()>> receives_in_group;

void drain(cudaStream_t stream) {
  while (!stream->queue.empty() && stream->queue.front()()) stream->queue.pop_front();
}

void queue(cudaStream_t stream, std::function<bool()> work) {
  stream->queue.push_back(std::move(work));
  drain(stream);
}

cudaError_t at_once(cudaStream_t stream, std::function<void()> work) {
  queue(stream, [work = std::move(work)] {
    work();
    return true;
  });
  return cudaSuccess;
}

// What stands in a group begins with its end; a message is sent before one is waited for.
ncclResult_t add(std::vector<std::function<void()>>& list, std::function<void()> work) {
  list.push_back(std::move(work));
  if (depth > 0) return ncclSuccess;
  for (auto* one : {&sends_in_group, &receives_in_group}) {
    for (const auto& call : std::exchange(*one, {})) call();
  }
  return ncclSuccess;
}

Bytes bytes_of(const void* data, std::size_t count) {
  const auto* from = static_cast<const std::byte*>(data);
  return {from, from + count};
}

}  // namespace

namespace rackproof::fake_nccl {

void start(const Machine& wanted) {
  machine = wanted;
  areas.clear();
  mail.clear();
  gathers.clear();
  handles = 0;
  aborts = 0;
  communicators = 0;
  freed_beside = 0;
  current = 0;
}

std::int64_t leaked() { return handles + static_cast<std::int64_t>(areas.size()); }
std::int64_t aborted() { return aborts; }
std::int64_t freed_beside_communicators() { return freed_beside; }

}  // namespace rackproof::fake_nccl

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = machine.devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  current = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  (void)std::snprintf(properties->name, sizeof(properties->name), "fake");
  properties->uuid.bytes[15] = static_cast<char>(device);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr /*which*/, int /*device*/) {
  *value = 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int /*bytes*/, int /*device*/) {
  *text = '\0';
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t /*error*/) { return "an error"; }
const char* cudaGetErrorString(cudaError_t /*error*/) { return "of the fake"; }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  const std::lock_guard lock(mutex);
  *total = *free = machine.memory;
  for (const auto& [address, area] : areas) {
    if (area.first == current) *free -= area.second;
  }
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  std::size_t free = 0;
  std::size_t total = 0;
  (void)cudaMemGetInfo(&free, &total);
  if (bytes > free) return cudaErrorMemoryAllocation;
  const std::lock_guard lock(mutex);
  *pointer = std::calloc(bytes, 1);
  areas[*pointer] = {current, bytes};
  return cudaSuccess;
}
cudaError_t cudaFree(void* pointer) {
  if (communicators > 0) ++freed_beside;
  const std::lock_guard lock(mutex);
  if (areas.erase(pointer) != 1) std::abort();
  std::free(pointer);
  return cudaSuccess;
}
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/,
                            cudaStream_t stream) {
  return at_once(stream, [=] { std::memcpy(to, from, bytes); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return at_once(stream, [=] { std::memset(to, value, bytes); });
}
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned /*flags*/) {
  *pointer = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* pointer) {
  std::free(pointer);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  ++handles;
  *stream = new CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  --handles;
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  while (stream != nullptr && !stream->queue.empty()) {
    drain(stream);
    std::this_thread::yield();
  }
  return cudaSuccess;
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  ++handles;
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  --handles;
  delete event;
  return cudaSuccess;
}
// An event belongs to one stream here, which an asker of it can move on.
static thread_local std::map<cudaEvent_t, cudaStream_t> recorded;
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->reached = false;
  recorded[event] = stream;
  return at_once(stream, [=] {
    event->time = kit::now_seconds();
    event->reached = true;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  drain(recorded.at(event));
  return event->reached ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return cudaStreamSynchronize(recorded.at(event));
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  *milliseconds = static_cast<float>((stop->time - start->time) * 1e3);
  return cudaSuccess;
}

ncclResult_t ncclGetVersion(int* version) {
  *version = 22809;
  return ncclSuccess;
}
ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::memset(id->internal, 'i', sizeof(id->internal));
  return ncclSuccess;
}
const char* ncclGetErrorString(ncclResult_t /*result*/) { return "made up"; }
const char* ncclGetLastError(ncclComm_t /*comm*/) { return "nothing"; }
ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int ranks, ncclUniqueId /*id*/, int rank,
                                    ncclConfig_t* /*config*/) {
  ++handles;
  ++communicators;
  *comm = new ncclComm{rank, ranks};
  return ncclInProgress;
}
ncclResult_t ncclCommInitRankScalable(ncclComm_t* comm, int ranks, int rank, int /*ids*/,
                                      ncclUniqueId* id, ncclConfig_t* config) {
  return ncclCommInitRankConfig(comm, ranks, *id, rank, config);
}
ncclResult_t ncclCommSplit(ncclComm_t comm, int /*color*/, int /*key*/, ncclComm_t* child,
                           ncclConfig_t* config) {
  return ncclCommInitRankConfig(child, comm->ranks, {}, comm->rank, config);
}
ncclResult_t ncclCommGetAsyncError(ncclComm_t /*comm*/, ncclResult_t* error) {
  *error = ncclSuccess;
  return ncclSuccess;
}
ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  --handles;
  --communicators;
  delete comm;
  return ncclSuccess;
}
ncclResult_t ncclCommAbort(ncclComm_t comm) {
  ++aborts;
  return ncclCommDestroy(comm);
}
ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
ncclResult_t ncclGroupEnd() {
  if (--depth > 0) return ncclSuccess;
  for (auto* one : {&sends_in_group, &receives_in_group}) {
    for (const auto& call : std::exchange(*one, {})) call();
  }
  return ncclSuccess;
}

ncclResult_t ncclSend(const void* data, std::size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  if (type != ncclUint64) return ncclInvalidArgument;
  if (comm->rank == machine.failing_rank && comm->sends++ >= machine.failing_after) {
    return ncclSystemError;
  }
  return add(sends_in_group, [=] {
    (void)at_once(stream, [=] {
      const std::lock_guard lock(mutex);
      mail[{comm->rank, peer}].push_back(bytes_of(data, count * 8));
    });
  });
}
ncclResult_t ncclRecv(void* data, std::size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  if (type != ncclUint64) return ncclInvalidArgument;
  const int rank = comm->rank;
  return add(receives_in_group, [=] {
    queue(stream, [=] {
      const std::lock_guard lock(mutex);
      auto& box = mail[{peer, rank}];
      if (box.empty()) return false;
      if (box.front().size() != count * 8) std::abort();
      auto* const words = box.front().data();
      if (!machine.arrives || machine.arrives(peer, rank, words, count * 8)) {
        std::memcpy(data, words, count * 8);
      }
      box.pop_front();
      return true;
    });
  });
}
ncclResult_t ncclAllGather(const void* in, void* out, std::size_t count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  if (type != ncclUint8) return ncclInvalidArgument;
  if (machine.gathers_fail) return ncclSystemError;
  const std::int64_t number = comm->gathers++;
  const int rank = comm->rank;
  const auto ranks = static_cast<std::size_t>(comm->ranks);
  return add(sends_in_group, [=] {
    (void)at_once(stream, [=] {
      const std::lock_guard lock(mutex);
      gathers[number][rank] = bytes_of(in, count);
    });
    queue(stream, [=] {
      const std::lock_guard lock(mutex);
      const auto& all = gathers[number];
      if (all.size() < ranks) return false;
      for (const auto& [from, bytes] : all) {
        if (bytes.size() != count) std::abort();
        std::memcpy(static_cast<std::byte*>(out) + static_cast<std::size_t>(from) * count,
                    bytes.data(), count);
      }
      return true;
    });
  });
}

}  // extern "C"

namespace rackproof::kit::pattern {

void queue_fill(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask,
                cudaStream_t stream) {
  (void)at_once(stream, [=] { fill(to, words, key, mask); });
}

void queue_compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key, Tally* tally,
                   cudaStream_t stream) {
  (void)at_once(stream, [=] {
    const Difference found = compare(got, words, key);
    tally->wrong += static_cast<unsigned long long>(found.wrong);
    if (found.wrong > 0 && static_cast<unsigned long long>(found.first) < tally->first) {
      tally->first = static_cast<unsigned long long>(found.first);
    }
  });
}

}  // namespace rackproof::kit::pattern

// The library is this.
namespace rackproof::kit::nccl {

bool library_is_here() { return true; }
void require_library() {}
void* find_in_library(const char* /*name*/) { return nullptr; }

}  // namespace rackproof::kit::nccl

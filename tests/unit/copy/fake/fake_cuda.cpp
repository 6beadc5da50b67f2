#include "tests/unit/copy/fake/fake_cuda.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <utility>

#include "benches/copy/kernels.hpp"
#include "benches/kit/pattern/device.hpp"

using namespace rackproof;
using fake_cuda::kHost;
using fake_cuda::Machine;

// The handles are opaque to those who hold them.
struct CUevent_st {
  int device = 0;
  bool reached = false;
  double time = 0;
};

struct CUstream_st {
  /// Seconds it took, or less than 0: not yet.
  using Work = std::function<double()>;
  int device = 0;
  double now = 0;
  std::deque<Work> queue;
};

namespace {

constexpr std::size_t kLarge = 4096;  // below: not a copy that anybody measures
constexpr double kNotYet = -1;

struct Area {
  int place = kHost;
  std::size_t bytes = 0;
};

struct World {
  Machine machine;
  int current = 0;
  std::string fault;
  std::map<std::byte*, Area> areas;
  std::vector<std::size_t> used;
  std::vector<std::vector<bool>> enabled;
  std::vector<cudaStream_t> streams;
  std::map<std::pair<int, int>, std::int64_t> copied;
  bool held = false;  ///< a kernel holds a stream
};
World world;

cudaError_t wrong(const std::string& what) {
  if (world.fault.empty()) world.fault = what;
  return cudaErrorInvalidValue;
}

std::size_t at(int device) { return static_cast<std::size_t>(device); }

// Where an address lies; memory that nobody took from here is the host's, pageable.
std::pair<int, bool> place_of(const void* address) {
  auto* const byte = static_cast<std::byte*>(const_cast<void*>(address));
  auto next = world.areas.upper_bound(byte);
  if (next == world.areas.begin()) return {kHost, false};
  --next;
  if (byte >= next->first + next->second.bytes) return {kHost, false};
  return {next->second.place, true};
}

bool can_use(int device, const void* address) {
  const auto [place, ours] = place_of(address);
  return ours && (place == kHost || place == device || world.enabled[at(device)][at(place)]);
}

void pump() {
  for (bool moved = true; moved;) {
    moved = false;
    for (cudaStream_t stream : world.streams) {
      while (!stream->queue.empty()) {
        const double seconds = stream->queue.front()();
        if (seconds < 0) break;
        stream->now += seconds;
        stream->queue.pop_front();
        moved = true;
      }
    }
  }
}

cudaError_t queue(cudaStream_t stream, const char* what, CUstream_st::Work work) {
  if (stream->device != world.current) {
    return wrong(std::string(what) + " on a stream of a device that is not the current one");
  }
  stream->queue.push_back(std::move(work));
  pump();
  return cudaSuccess;
}

double seconds_of(int from, int to, std::size_t bytes) {
  const Machine& machine = world.machine;
  const double rate = from == kHost ? machine.host_to_device
                      : to == kHost ? machine.device_to_host
                      : from == to  ? machine.local
                                    : machine.peer;
  return static_cast<double>(bytes) / rate;
}

double copy_now(int driver, void* to, const void* from, std::size_t bytes) {
  const int source = place_of(from).first;
  const int target = place_of(to).first;
  if (bytes < kLarge) {
    std::memcpy(to, from, bytes);
    return 0;
  }
  if (world.held) (void)wrong("a copy runs while a kernel holds another stream");
  const std::int64_t number = world.copied[{source, target}]++;
  const Machine& machine = world.machine;
  if (!machine.copies || machine.copies(driver, source, target, number)) {
    std::memcpy(to, from, bytes);
    if (machine.arrived) machine.arrived(source, target, static_cast<std::byte*>(to), bytes);
  }
  return seconds_of(source, target, bytes);
}

cudaError_t take(void** pointer, std::size_t bytes, int place) {
  auto* const data = static_cast<std::byte*>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
  world.areas[data] = {place, bytes};
  if (place != kHost) world.used[at(place)] += bytes;
  *pointer = data;
  return cudaSuccess;
}

cudaError_t give_back(void* pointer) {
  const auto found = world.areas.find(static_cast<std::byte*>(pointer));
  if (found == world.areas.end()) return wrong("memory that was not taken is given back");
  if (found->second.place != kHost) world.used[at(found->second.place)] -= found->second.bytes;
  world.areas.erase(found);
  std::free(pointer);
  return cudaSuccess;
}

}  // namespace

namespace rackproof::fake_cuda {

void start(const Machine& machine) {
  world = {};
  world.machine = machine;
  world.used.assign(at(machine.devices), 0);
  world.enabled.assign(at(machine.devices), std::vector<bool>(at(machine.devices), false));
}

const std::string& fault() { return world.fault; }
std::size_t leaked() { return world.areas.size() + world.streams.size(); }

}  // namespace rackproof::fake_cuda

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = world.machine.devices;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = world.current;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  world.current = device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  (void)std::snprintf(properties->name, sizeof(properties->name), "fake");
  properties->uuid.bytes[15] = static_cast<char>(device);
  properties->multiProcessorCount = 4;
  properties->totalGlobalMem = world.machine.memory;
  properties->l2CacheSize = 4096;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int /*device*/) {
  *value = which == cudaDevAttrHostNumaId ? -1 : 1;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int bytes, int device) {
  (void)std::snprintf(text, static_cast<std::size_t>(bytes), "ffff:%02x:00.0", device);
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) { return cudaDriverGetVersion(version); }
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t /*error*/) { return "an error"; }
const char* cudaGetErrorString(cudaError_t /*error*/) { return world.fault.c_str(); }
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  *total = world.machine.memory;
  *free = *total - world.used[at(world.current)];
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  if (world.used[at(world.current)] + bytes > world.machine.memory) {
    return cudaErrorMemoryAllocation;
  }
  return take(pointer, bytes, world.current);
}
cudaError_t cudaFree(void* pointer) { return give_back(pointer); }
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned /*flags*/) {
  return take(pointer, bytes, kHost);
}
cudaError_t cudaFreeHost(void* pointer) { return give_back(pointer); }
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind /*kind*/,
                            cudaStream_t stream) {
  const int driver = world.current;
  return queue(stream, "a copy", [=] { return copy_now(driver, to, from, bytes); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return queue(stream, "a fill", [=] {
    std::memset(to, value, bytes);
    return 0.0;
  });
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned /*flags*/) {
  *stream = new CUstream_st{world.current, 0, {}};
  world.streams.push_back(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  if (!stream->queue.empty()) (void)wrong("a stream with work is given back");
  std::erase(world.streams, stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  pump();
  if (stream != nullptr && !stream->queue.empty()) return wrong("a stream that never ends");
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned /*flags*/) {
  return queue(stream, "a wait", [=] {
    if (!event->reached) return kNotYet;
    stream->now = std::max(stream->now, event->time);
    return 0.0;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st{world.current};
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  if (event->device != stream->device) return wrong("an event of another device is recorded");
  event->reached = false;
  return queue(stream, "an event", [=] {
    event->reached = true;
    event->time = stream->now;
    return 0.0;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  pump();
  return event->reached ? cudaSuccess : wrong("an event that never comes");
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return event->reached ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
  if (start->device != stop->device) return wrong("the time between events of two devices");
  *milliseconds = static_cast<float>((stop->time - start->time) * 1e3);
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  *can = !world.machine.reach.empty() && world.machine.reach[at(device)][at(peer)] ? 1 : 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned /*flags*/) {
  world.enabled[at(world.current)][at(peer)] = true;
  return cudaSuccess;
}

}  // extern "C"

// The launchers of the kernels.
namespace {

void launch(cudaStream_t stream, const void* memory, const char* kernel, CUstream_st::Work work) {
  if (!can_use(stream->device, memory)) {
    (void)wrong(std::string(kernel) + " uses memory that its device has no access to");
  }
  (void)queue(stream, kernel, std::move(work));
}

}  // namespace

namespace rackproof::copy {

void queue_copy(void* to, const void* from, std::int64_t bytes, int multiprocessors,
                cudaStream_t stream) {
  if (multiprocessors != 4) (void)wrong("a kernel for another device");
  if (!can_use(stream->device, from)) (void)wrong("a copy reads what it has no access to");
  launch(stream, to, "the copying kernel",
         [=] { return copy_now(stream->device, to, from, static_cast<std::size_t>(bytes)); });
}

void queue_hold(const int* open, int* gave_up, std::uint64_t /*limit_ns*/, cudaStream_t stream) {
  launch(stream, open, "the holding kernel", [=] {
    if (*open == 0 && world.machine.impatient) *gave_up = 1;
    world.held = *open == 0 && !world.machine.impatient;
    return world.held ? kNotYet : 0.0;
  });
}

void queue_walk(const std::uint64_t* ring, std::uint64_t start, Walk* out, cudaStream_t stream) {
  launch(stream, ring, "the walking kernel", [=] {
    *out = walk(ring, start, kSteps);
    return world.machine.step * static_cast<double>(kSteps);
  });
}

}  // namespace rackproof::copy

namespace rackproof::kit::pattern {

void queue_fill(std::uint64_t* to, std::int64_t words, std::uint64_t key, std::uint64_t mask,
                cudaStream_t stream) {
  launch(stream, to, "the filling kernel", [=] {
    fill(to, words, key, mask);
    return 0.0;
  });
}

void queue_compare(const std::uint64_t* got, std::int64_t words, std::uint64_t key, Tally* tally,
                   cudaStream_t stream) {
  launch(stream, got, "the comparing kernel", [=] {
    const Difference found = compare(got, words, key);
    tally->wrong += static_cast<unsigned long long>(found.wrong);
    if (found.wrong > 0) {
      tally->first = std::min(tally->first, static_cast<unsigned long long>(found.first));
    }
    return 0.0;
  });
}

}  // namespace rackproof::kit::pattern

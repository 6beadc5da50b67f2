#include "tests/unit/product/fake_cuda.hpp"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "benches/kit/clock.hpp"

namespace rackproof::test {

FakeGpu& fake_gpu() {
  static FakeGpu gpu;
  return gpu;
}

void submit(cudaStream_t stream, std::function<void()> work) {
  if (stream->capturing) {
    stream->captured.push_back(std::move(work));
  } else {
    stream->waiting.push_back(std::move(work));
  }
}

}  // namespace rackproof::test

using rackproof::test::fake_gpu;
using rackproof::test::submit;

struct CUevent_st {
  double seconds = 0;
  bool done = false;
  cudaStream_t stream = nullptr;
};
struct CUgraph_st {
  std::vector<std::function<void()>> work;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace {

std::map<void*, std::size_t>& allocations() {
  static std::map<void*, std::size_t> all;
  return all;
}

std::set<cudaStream_t>& streams() {
  static std::set<cudaStream_t> all;
  return all;
}

void do_one(cudaStream_t stream) {
  const std::function<void()> work = std::move(stream->waiting.front());
  stream->waiting.pop_front();
  work();
}

void do_all(cudaStream_t stream) {
  while (!stream->waiting.empty()) do_one(stream);
}

bool on_device(const void* address) {
  for (const auto& [memory, bytes] : allocations()) {
    const auto* const from = static_cast<const char*>(memory);
    if (address >= from && address < from + bytes) return true;
  }
  return false;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = fake_gpu().devices;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int) { return cudaSuccess; }
cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  *properties = {};
  std::strcpy(properties->name, "a device that is none");
  properties->major = fake_gpu().major;
  properties->minor = fake_gpu().minor;
  properties->l2CacheSize = 1 << 20;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  *value = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int, int) {
  *text = '\0';
  return cudaSuccess;
}
cudaError_t cudaDriverGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  *version = 13000;
  return cudaSuccess;
}
cudaError_t cudaGetLastError() { return cudaSuccess; }
const char* cudaGetErrorName(cudaError_t) { return "an error of the fake"; }
const char* cudaGetErrorString(cudaError_t) { return "made up"; }
cudaError_t cudaDeviceSynchronize() {
  for (const cudaStream_t stream : streams()) do_all(stream);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = static_cast<size_t>(fake_gpu().free_bytes);
  *free = static_cast<size_t>(fake_gpu().free_bytes - fake_gpu().memory_in_use);
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, size_t bytes) {
  if (static_cast<std::int64_t>(bytes) > fake_gpu().free_bytes - fake_gpu().memory_in_use) {
    return cudaErrorMemoryAllocation;
  }
  *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  // What nobody wrote is no answer.
  std::memset(*memory, 0xA5, bytes);
  allocations()[*memory] = bytes;
  fake_gpu().memory_in_use += static_cast<std::int64_t>(bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  (void)cudaDeviceSynchronize();  // as the real one does
  const auto found = allocations().find(memory);
  if (found == allocations().end()) std::abort();
  fake_gpu().memory_in_use -= static_cast<std::int64_t>(found->second);
  allocations().erase(found);
  std::free(memory);
  return cudaSuccess;
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  *memory = std::malloc(bytes);
  return cudaSuccess;
}
cudaError_t cudaFreeHost(void* memory) {
  std::free(memory);
  return cudaSuccess;
}
// On the default stream, for which the others do not wait, nor it for them.
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t stream) {
  if (on_device(from)) {
    submit(stream, [=] { std::memcpy(to, from, bytes); });
    return cudaSuccess;
  }
  // From pageable memory: taken now, written in its turn.
  const auto* const begin = static_cast<const char*>(from);
  submit(stream, [to, taken = std::vector<char>(begin, begin + bytes)] {
    std::memcpy(to, taken.data(), taken.size());
  });
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t stream) {
  submit(stream, [=] { std::memset(to, value, bytes); });
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new CUstream_st;
  streams().insert(*stream);
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  do_all(stream);
  streams().erase(stream);
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  if (stream != nullptr) do_all(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  stream->capturing = true;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  stream->capturing = false;
  *graph = new CUgraph_st{std::move(stream->captured)};
  stream->captured.clear();
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* ready, cudaGraph_t graph, unsigned long long) {
  *ready = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t stream) {
  for (const auto& work : ready->work) submit(stream, work);
  submit(stream, [] { ++fake_gpu().graphs_done; });
  ++fake_gpu().graph_launches;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
  delete ready;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  *event = new CUevent_st;
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  if (event->stream != nullptr) do_all(event->stream);  // nothing that waits may point to it
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  event->done = false;
  event->stream = stream;
  submit(stream, [event] {
    event->seconds = rackproof::kit::now_seconds();
    event->done = true;
    event->stream = nullptr;
  });
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (!event->done && event->stream != nullptr) do_one(event->stream);
  return event->done ? cudaSuccess : cudaErrorNotReady;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  while (!event->done) do_one(event->stream);
  return cudaSuccess;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  if (!from->done || !to->done) return cudaErrorNotReady;
  *milliseconds = static_cast<float>((to->seconds - from->seconds) * 1e3);
  return cudaSuccess;
}
}

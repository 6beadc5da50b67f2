#include "tests/unit/collectives/fake_gpu.hpp"

#include <cuda_runtime_api.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <vector>

#include "benches/collectives/patterns.hpp"
#include "benches/collectives/patterns_device.cuh"
#include "benches/kit/clock.hpp"
#include "tests/unit/collectives/fake_stream.hpp"

// The CUDA runtime of FakeGpu. Nothing is queued: all is done when it is asked for, but for what is
// captured into a graph.

namespace rackproof::collectives {
namespace {

std::map<void*, std::size_t>& allocations() {
  static std::map<void*, std::size_t> all;
  return all;
}

}  // namespace

FakeGpu& fake_gpu() {
  static FakeGpu gpu;
  return gpu;
}

void* fake_allocate(std::size_t bytes) {
  if (static_cast<std::int64_t>(bytes) > fake_gpu().free_bytes - fake_gpu().memory_in_use) {
    return nullptr;
  }
  void* const memory = std::malloc(bytes);
  allocations()[memory] = bytes;
  fake_gpu().memory_in_use += static_cast<std::int64_t>(bytes);
  return memory;
}

void fake_release(void* memory) {
  const auto found = allocations().find(memory);
  if (found == allocations().end()) std::abort();
  fake_gpu().memory_in_use -= static_cast<std::int64_t>(found->second);
  allocations().erase(found);
  std::free(memory);
}

void submit(cudaStream_t stream, const std::function<void()>& work) {
  if (stream->capturing) {
    stream->captured.push_back(work);
  } else {
    work();
  }
}

void fill_async(const SlotData& data, Fill fill, int rank, std::int64_t count, const Slots& slots,
                cudaStream_t) {
  const std::int64_t step = fill == Fill::kStamps ? kStampStride : 1;
  with_type(data.dtype, [&](auto zero) {
    using T = decltype(zero);
    with_generator<T>(data.redop, [&](auto generator) {
      for (int slot = 0; slot < slots.count; ++slot) {
        const elements::SlotKeys keys(data.rule, slot, rank);
        auto* out = reinterpret_cast<elements::Bits<T>*>(slots.base + slot * slots.stride);
        for (std::int64_t i = 0; i < count; i += step) {
          out[i] = elements::slot_element<T, decltype(generator), false>(keys, i);
        }
      }
    });
  });
}

void verify_async(const SlotData& data, const DeviceSegment* segments, int segment_count,
                  std::int64_t longest, const Slots& slots, SlotFindings* findings, cudaStream_t) {
  with_type(data.dtype, [&](auto zero) {
    using T = decltype(zero);
    with_generator<T>(data.redop, [&](auto generator) {
      using Generator = decltype(generator);
      constexpr bool kReduced = !std::is_same_v<Generator, elements::Moved<T>>;
      for (int slot = 0; slot < slots.count; ++slot) {
        const auto* out =
            reinterpret_cast<const elements::Bits<T>*>(slots.base + slot * slots.stride);
        for (int s = 0; s < segment_count; ++s) {
          if (segments[s].count > longest) std::abort();
          const elements::SlotKeys keys(data.rule, slot, segments[s].source);
          for (std::int64_t i = 0; i < segments[s].count; ++i) {
            const auto want =
                elements::slot_element<T, Generator, kReduced>(keys, segments[s].index + i);
            const std::int64_t at = segments[s].offset + i;
            if (out[at] == want) continue;
            ++findings[slot].wrong;
            findings[slot].first =
                std::min(findings[slot].first, static_cast<unsigned long long>(at));
          }
        }
      }
    });
  });
}

}  // namespace rackproof::collectives

using rackproof::collectives::fake_gpu;

struct CUevent_st {
  double seconds = 0;
};
struct CUgraph_st {
  std::vector<std::function<void()>> work;
};
struct CUgraphExec_st {
  std::vector<std::function<void()>> work;
};

namespace {
thread_local int current_device = 0;
}

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  *count = fake_gpu().devices;
  return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
  if (device < 0 || device >= fake_gpu().devices) return cudaErrorInvalidDevice;
  current_device = device;
  return cudaSuccess;
}
cudaError_t cudaGetDevice(int* device) {
  *device = current_device;
  return cudaSuccess;
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  *properties = {};
  std::strcpy(properties->name, "a device that is none");
  properties->uuid.bytes[0] = static_cast<char>(device);
  properties->major = 9;
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
cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }

cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  *total = static_cast<size_t>(fake_gpu().free_bytes);
  *free = static_cast<size_t>(fake_gpu().free_bytes - fake_gpu().memory_in_use);
  return cudaSuccess;
}
cudaError_t cudaMalloc(void** memory, size_t bytes) {
  *memory = rackproof::collectives::fake_allocate(bytes);
  return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
}
cudaError_t cudaFree(void* memory) {
  rackproof::collectives::fake_release(memory);
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
cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                            cudaStream_t) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t) {
  std::memset(to, value, bytes);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  *stream = new CUstream_st;
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
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
  ++fake_gpu().graphs;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t ready, cudaStream_t) {
  for (const auto& work : ready->work) work();
  ++fake_gpu().graph_launches;
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t ready) {
  delete ready;
  --fake_gpu().graphs;
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
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t) {
  event->seconds = rackproof::kit::now_seconds();
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t) {
  return fake_gpu().stuck ? cudaErrorNotReady : cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  *milliseconds = static_cast<float>((to->seconds - from->seconds) * 1e3);
  return cudaSuccess;
}
}

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <vector>

// What the two halves of FakeGpu share.
struct CUstream_st {
  bool capturing = false;
  std::vector<std::function<void()>> captured;
};

namespace rackproof::collectives {

/// Does the work now, or whenever the graph is launched that the stream captures.
void submit(cudaStream_t stream, const std::function<void()>& work);

/// Memory of the device; nullptr where there is not as much.
void* fake_allocate(std::size_t bytes);
void fake_release(void* memory);

}  // namespace rackproof::collectives

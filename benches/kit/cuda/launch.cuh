#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <source_location>

#include "benches/kit/cuda/check.hpp"

// How a kernel is launched and gets its shared memory, in one place: builds that run the kernels on
// the host put their own header in place of this one.

/// An array of `count` elements in the shared memory of the block.
#define RACKPROOF_SHARED(type, name, count) __shared__ type name[count]

namespace rackproof::kit::cuda {

/// How much of a device a kernel gets, and the stream it is queued on.
struct Shape {
  dim3 blocks;
  dim3 threads;
  std::size_t shared = 0;  ///< bytes of dynamic shared memory a block
  cudaStream_t stream = nullptr;
  std::source_location where = std::source_location::current();
};

// What a host compiler reads of it is the shape alone.
#ifdef __CUDACC__

/// Queues `kernel` with its arguments. Throws DeviceError with the caller's place when it is
/// refused, or when an earlier error is still to be told.
template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, const Arguments&... arguments) {
  kernel<<<shape.blocks, shape.threads, shape.shared, shape.stream>>>(arguments...);
  require(cudaGetLastError(), "launch", shape.where.file_name(),
          static_cast<int>(shape.where.line()));
}

/// Lets a kernel ask for more than 48 KiB of dynamic shared memory.
template <class... Parameters>
void allow_shared(void (*kernel)(Parameters...), int bytes) {
  RACKPROOF_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

/// The dynamic shared memory of the block, aligned to 128 bytes.
template <class T>
__device__ T* dynamic_shared() {
  extern __shared__ __align__(128) unsigned char rackproof_dynamic_shared[];
  return reinterpret_cast<T*>(rackproof_dynamic_shared);
}

#endif

}  // namespace rackproof::kit::cuda

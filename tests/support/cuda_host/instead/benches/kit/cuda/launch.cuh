#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <source_location>

#include "benches/kit/cuda/check.hpp"
#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/streams.hpp"

// In place of the header of this name, for kernels that run on the host.

#define RACKPROOF_SHARED(type, name, count)  \
  auto& name = *static_cast<type(*)[count]>( \
      ::rackproof::cuda_host::static_shared(RACKPROOF_SITE, sizeof(type[count]), alignof(type)))

namespace rackproof::kit::cuda {

struct Shape {
  dim3 blocks;
  dim3 threads;
  std::size_t shared = 0;
  cudaStream_t stream = nullptr;
  std::source_location where = std::source_location::current();
};

// Calls a kernel for one thread. What it has of the arguments is no memory that the kernel touches.
template <class Call>
[[gnu::no_sanitize_thread]] void run_thread(const void* call) {
  (*static_cast<const Call*>(call))();
}

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), const Shape& shape, const Arguments&... arguments) {
  const auto call = [ kernel, ... values = static_cast<Parameters>(arguments) ]()
      __attribute__((no_sanitize_thread)) {
    kernel(values...);
  };
  cuda_host::queue_kernel(reinterpret_cast<const void*>(kernel),
                          {shape.blocks, shape.threads, shape.shared}, shape.stream,
                          std::make_shared<decltype(call)>(call), &run_thread<decltype(call)>);
  require(cudaGetLastError(), "launch", shape.where.file_name(),
          static_cast<int>(shape.where.line()));
}

template <class... Parameters>
void allow_shared(void (*kernel)(Parameters...), int bytes) {
  RACKPROOF_CUDA(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                      cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
}

template <class T>
T* dynamic_shared() {
  return static_cast<T*>(cuda_host::dynamic_shared());
}

}  // namespace rackproof::kit::cuda

#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

// What stands behind a stream of the fake: work that waits, or that is being captured.
struct CUstream_st {
  std::deque<std::function<void()>> waiting;
  bool capturing = false;
  std::vector<std::function<void()>> captured;
};

namespace rackproof::test {

/// A GPU that is none: the functions of the CUDA runtime, of cuBLASLt and of the kernels that
/// matrix products need, on host memory, linked in the place of the real ones. Work waits in its
/// stream until somebody waits for it, so that what was not waited for is not there. It is there to
/// try everything around the kernels and the library; what it measures means nothing.
struct FakeGpu {
  int devices = 1;
  int major = 10;
  int minor = 0;
  std::int64_t free_bytes = std::int64_t{1} << 30;
  int algorithms = 3;  ///< that the library offers for every problem
  /// Of those the first this many refuse to run.
  int refusing = 0;
  /// True for products that write nothing.
  std::function<bool(std::int64_t product)> skip;
  /// Called after each product with its number, from 0, and C with its bytes.
  std::function<void(std::int64_t product, unsigned char* c, std::size_t bytes)> spoil;

  std::int64_t products = 0;
  std::int64_t memory_in_use = 0;
  std::int64_t graph_launches = 0;
  std::int64_t graphs_done = 0;
};

/// The one that the functions use; set it anew for each test.
FakeGpu& fake_gpu();

/// Puts work at the end of a stream, or into what it captures.
void submit(cudaStream_t stream, std::function<void()> work);

}  // namespace rackproof::test

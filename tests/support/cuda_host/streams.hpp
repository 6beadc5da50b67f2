#pragma once

#include <cuda_runtime_api.h>

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/cuda_host/block.hpp"
#include "tests/support/cuda_host/order.hpp"

namespace rackproof::cuda_host {

inline constexpr const char* kNcclOperation = "an operation of NCCL";

/// One piece of a stream's work. What has a name is an operation and touches memory.
struct Task {
  std::string name;
  std::function<void()> body;
  Clock seen;  ///< by the host, when it was queued
};

/// What an event was last recorded with; it lives as long as a stream still looks at it.
struct EventState {
  int device = 0;
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t recorded = 0;
  std::uint64_t reached = 0;
  double seconds = 0;
  Clock clock;
};

}  // namespace rackproof::cuda_host

struct CUstream_st {
  explicit CUstream_st(int on);
  ~CUstream_st();
  CUstream_st(const CUstream_st&) = delete;
  CUstream_st& operator=(const CUstream_st&) = delete;

  const int device;
  const std::size_t line;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<rackproof::cuda_host::Task> queue;
  bool busy = false;
  bool quit = false;
  rackproof::cuda_host::Clock clock;  // the worker's while it is busy
  double seconds = 0;                 // counted, by the worker
  bool capturing = false;
  bool capture_is_broken = false;
  std::vector<rackproof::cuda_host::Task> captured;
  std::thread worker;
};
struct CUevent_st {
  std::shared_ptr<rackproof::cuda_host::EventState> state;
};
struct CUgraph_st {
  std::vector<rackproof::cuda_host::Task> work;
};
struct CUgraphExec_st {
  std::vector<rackproof::cuda_host::Task> work;
};

namespace rackproof::cuda_host {

/// Puts work at the end of a stream, or into what it captures. nullptr: the default stream of the
/// current device.
void submit(cudaStream_t stream, std::string name, std::function<void()> body);
/// The same as cudaLaunchKernel; an error is what cudaGetLastError() gives then.
void queue_kernel(const void* kernel, const Grid& grid, cudaStream_t stream,
                  std::shared_ptr<const void> arguments, void (*run_thread)(const void*));
int device_of(cudaStream_t stream);
bool is_capturing(cudaStream_t stream);

/// Streams that were not given back, but for default ones.
std::size_t streams_held();

/// Waits for what was queued; the host has seen it then.
void wait_for(cudaStream_t stream);
void wait_for_all(int device);
/// The stream that is meant: nullptr is the default one of the current device.
cudaStream_t resolve(cudaStream_t stream);

/// The physical device that this thread works on, and how it is chosen.
int& current_device();
/// The error that the next cudaGetLastError() of this thread gives.
cudaError_t& last_error();
/// `code` as the last error.
cudaError_t fail(cudaError_t code);
/// What stays once a kernel has gone wrong on the device; cudaSuccess when none has.
cudaError_t sticky(int device);

/// The streams that this thread captures. A call that capturing forbids breaks them, and is
/// refused.
std::vector<cudaStream_t>& captures();
bool refused_while_capturing();

}  // namespace rackproof::cuda_host

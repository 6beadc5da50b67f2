#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "benches/kit/cuda/stream.hpp"

namespace rackproof::kit::cuda {

/// What a function queued on a stream, captured once and launched as one piece. Move-only.
class Graph {
 public:
  Graph(const Stream& stream, const std::function<void()>& queue);
  ~Graph();
  Graph(Graph&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Graph& operator=(Graph&& other) noexcept;
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  void launch(const Stream& stream) const;

 private:
  cudaGraphExec_t handle_ = nullptr;
};

/// Seconds of device time of each of `times` calls of `queue(i)`, which queue work on `stream`: one
/// event between two calls and no wait of the host until the last one, so that launches overlap and
/// a sample holds nothing of the host but what an event costs. `amid` is called a few times while
/// the device is at work on it, with more of it queued.
std::vector<double> time_each(const Stream& stream, std::int64_t times,
                              const std::function<void(std::int64_t)>& queue,
                              const std::function<void()>& amid = nullptr);

/// Seconds of device time of one call, over `repeats` of them captured as one graph that is
/// launched `times` times: one sample a launch. For work so short that its launch would be
/// measured.
std::vector<double> time_in_graph(const Stream& stream, std::int64_t times, std::int64_t repeats,
                                  const std::function<void(std::int64_t)>& queue);

}  // namespace rackproof::kit::cuda

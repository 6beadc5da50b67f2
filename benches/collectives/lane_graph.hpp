#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <vector>

#include "benches/collectives/lanes.hpp"

namespace rackproof::collectives {

/// What `queue` queues on the streams of all lanes, captured as one graph for each lane.
class LaneGraph {
 public:
  LaneGraph(const Lanes& lanes, const std::function<void()>& queue);
  ~LaneGraph();
  LaneGraph(const LaneGraph&) = delete;
  LaneGraph& operator=(const LaneGraph&) = delete;

  /// Queues the graph of each lane once.
  void launch() const;

 private:
  void capture(const std::function<void()>& queue);
  void instantiate();
  void release() noexcept;

  const Lanes& lanes_;
  std::vector<cudaGraph_t> graphs_;
  std::vector<cudaGraphExec_t> ready_;
};

}  // namespace rackproof::collectives

#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <vector>

#include "benches/kit/nccl/local_ranks.hpp"

namespace rackproof::collectives {

/// What `queue` queues on the streams of all local ranks, captured as one graph for each local
/// rank.
class LocalGraph {
 public:
  LocalGraph(const kit::nccl::LocalRanks& locals, const std::function<void()>& queue);
  ~LocalGraph();
  LocalGraph(const LocalGraph&) = delete;
  LocalGraph& operator=(const LocalGraph&) = delete;

  /// Queues the graph of each local rank once.
  void launch() const;

 private:
  void capture(const std::function<void()>& queue);
  void instantiate();
  void release() noexcept;

  const kit::nccl::LocalRanks& locals_;
  std::vector<cudaGraph_t> graphs_;
  std::vector<cudaGraphExec_t> ready_;
};

}  // namespace rackproof::collectives

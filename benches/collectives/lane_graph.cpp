#include "benches/collectives/lane_graph.hpp"

#include "benches/kit/cuda/check.hpp"

namespace rackproof::collectives {

LaneGraph::LaneGraph(const Lanes& lanes, const std::function<void()>& queue)
    : lanes_(lanes),
      graphs_(static_cast<std::size_t>(lanes.count()), nullptr),
      ready_(static_cast<std::size_t>(lanes.count()), nullptr) {
  try {
    capture(queue);
    instantiate();
  } catch (...) {
    release();
    throw;
  }
}

LaneGraph::~LaneGraph() { release(); }

// All streams capture before anything is queued: one operation of NCCL goes to all of them.
void LaneGraph::capture(const std::function<void()>& queue) {
  lanes_.each([&](int lane) {
    RACKPROOF_CUDA(
        cudaStreamBeginCapture(lanes_.stream(lane).get(), cudaStreamCaptureModeThreadLocal));
  });
  try {
    queue();
  } catch (...) {
    // A stream left capturing refuses all further work.
    lanes_.each([&](int lane) {
      (void)cudaStreamEndCapture(lanes_.stream(lane).get(),
                                 &graphs_[static_cast<std::size_t>(lane)]);
    });
    throw;
  }
  lanes_.each([&](int lane) {
    RACKPROOF_CUDA(
        cudaStreamEndCapture(lanes_.stream(lane).get(), &graphs_[static_cast<std::size_t>(lane)]));
  });
}

void LaneGraph::instantiate() {
  lanes_.each([&](int lane) {
    const auto at = static_cast<std::size_t>(lane);
    RACKPROOF_CUDA(cudaGraphInstantiate(&ready_[at], graphs_[at], 0));
    // Or the first launch would bring it to the device, inside a timed interval.
    RACKPROOF_CUDA(cudaGraphUpload(ready_[at], lanes_.stream(lane).get()));
  });
}

void LaneGraph::launch() const {
  lanes_.each([&](int lane) {
    RACKPROOF_CUDA(
        cudaGraphLaunch(ready_[static_cast<std::size_t>(lane)], lanes_.stream(lane).get()));
  });
}

void LaneGraph::release() noexcept {
  for (cudaGraphExec_t ready : ready_) {
    if (ready != nullptr) (void)cudaGraphExecDestroy(ready);
  }
  for (cudaGraph_t graph : graphs_) {
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
  }
}

}  // namespace rackproof::collectives

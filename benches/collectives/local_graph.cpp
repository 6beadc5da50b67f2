#include "benches/collectives/local_graph.hpp"

#include "benches/kit/cuda/check.hpp"

namespace rackproof::collectives {

LocalGraph::LocalGraph(const kit::nccl::LocalRanks& locals, const std::function<void()>& queue)
    : locals_(locals),
      graphs_(static_cast<std::size_t>(locals.count()), nullptr),
      ready_(static_cast<std::size_t>(locals.count()), nullptr) {
  try {
    capture(queue);
    instantiate();
  } catch (...) {
    release();
    throw;
  }
}

LocalGraph::~LocalGraph() { release(); }

// All streams capture before anything is queued: one operation of NCCL goes to all of them.
void LocalGraph::capture(const std::function<void()>& queue) {
  locals_.each([&](int local) {
    RACKPROOF_CUDA(
        cudaStreamBeginCapture(locals_.stream(local).get(), cudaStreamCaptureModeThreadLocal));
  });
  try {
    queue();
  } catch (...) {
    // A stream left capturing refuses all further work.
    locals_.each([&](int local) {
      (void)cudaStreamEndCapture(locals_.stream(local).get(),
                                 &graphs_[static_cast<std::size_t>(local)]);
    });
    throw;
  }
  locals_.each([&](int local) {
    RACKPROOF_CUDA(cudaStreamEndCapture(locals_.stream(local).get(),
                                        &graphs_[static_cast<std::size_t>(local)]));
  });
}

void LocalGraph::instantiate() {
  locals_.each([&](int local) {
    const auto at = static_cast<std::size_t>(local);
    RACKPROOF_CUDA(cudaGraphInstantiate(&ready_[at], graphs_[at], 0));
    // Or the first launch would bring it to the device, inside a timed interval.
    RACKPROOF_CUDA(cudaGraphUpload(ready_[at], locals_.stream(local).get()));
  });
}

void LocalGraph::launch() const {
  locals_.each([&](int local) {
    RACKPROOF_CUDA(
        cudaGraphLaunch(ready_[static_cast<std::size_t>(local)], locals_.stream(local).get()));
  });
}

void LocalGraph::release() noexcept {
  for (cudaGraphExec_t ready : ready_) {
    if (ready != nullptr) (void)cudaGraphExecDestroy(ready);
  }
  for (cudaGraph_t graph : graphs_) {
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
  }
}

}  // namespace rackproof::collectives

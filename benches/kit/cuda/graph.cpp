#include "benches/kit/cuda/graph.hpp"

#include "benches/kit/cuda/check.hpp"

namespace rackproof::kit::cuda {
namespace {

// Capture must be ended whatever happens: a stream left capturing refuses all further work.
cudaGraph_t capture(const Stream& stream, const std::function<void()>& queue) {
  RACKPROOF_CUDA(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal));
  cudaGraph_t graph = nullptr;
  try {
    queue();
  } catch (...) {
    if (cudaStreamEndCapture(stream.get(), &graph) == cudaSuccess && graph != nullptr) {
      (void)cudaGraphDestroy(graph);
    }
    throw;
  }
  RACKPROOF_CUDA(cudaStreamEndCapture(stream.get(), &graph));
  return graph;
}

}  // namespace

Graph::Graph(const Stream& stream, const std::function<void()>& queue) {
  cudaGraph_t graph = capture(stream, queue);
  const cudaError_t code = cudaGraphInstantiate(&handle_, graph, 0);
  (void)cudaGraphDestroy(graph);
  RACKPROOF_CUDA(code);
  // The first launch would move it to the device; that is no part of what is measured.
  RACKPROOF_CUDA(cudaGraphUpload(handle_, stream.get()));
}

Graph::~Graph() {
  if (handle_ != nullptr) (void)cudaGraphExecDestroy(handle_);
}

Graph& Graph::operator=(Graph&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

void Graph::launch(const Stream& stream) const {
  RACKPROOF_CUDA(cudaGraphLaunch(handle_, stream.get()));
}

std::vector<double> time_each(const Stream& stream, std::int64_t times,
                              const std::function<void(std::int64_t)>& queue,
                              const std::function<void()>& amid) {
  std::vector<Event> events(static_cast<std::size_t>(times) + 1);
  events[0].record(stream);
  for (std::int64_t i = 0; i < times; ++i) {
    queue(i);
    events[static_cast<std::size_t>(i) + 1].record(stream);
  }
  constexpr std::size_t kLooks = 4;
  for (std::size_t part = 1; amid && part < kLooks && events.size() > kLooks; ++part) {
    events[part * events.size() / kLooks].synchronize();
    amid();
  }
  events.back().synchronize();
  std::vector<double> seconds;
  for (std::size_t i = 0; i + 1 < events.size(); ++i) {
    seconds.push_back(seconds_between(events[i], events[i + 1]));
  }
  return seconds;
}

std::vector<double> time_in_graph(const Stream& stream, std::int64_t times, std::int64_t repeats,
                                  const std::function<void(std::int64_t)>& queue) {
  const Graph graph(stream, [&] {
    for (std::int64_t i = 0; i < repeats; ++i) queue(i);
  });
  stream.synchronize();
  std::vector<double> seconds =
      time_each(stream, times, [&](std::int64_t) { graph.launch(stream); });
  for (double& sample : seconds) sample /= static_cast<double>(repeats);
  return seconds;
}

}  // namespace rackproof::kit::cuda

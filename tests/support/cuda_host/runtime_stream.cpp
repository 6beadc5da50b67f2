#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>

#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/memory.hpp"
#include "tests/support/cuda_host/play.hpp"
#include "tests/support/cuda_host/streams.hpp"

// The part of the CUDA runtime that is about streams, events and graphs.
using namespace rackproof::cuda_host;

namespace {

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void wait_for_event(EventState& event, std::uint64_t record) {
  std::unique_lock lock(event.mutex);
  event.changed.wait(lock, [&] { return event.reached >= record; });
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* to, unsigned flags) {
  if (flags != cudaStreamNonBlocking)
    complain("a stream that the default stream blocks is not played here");
  *to = new CUstream_st(current_device());
  return cudaSuccess;
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  // Ends its work first, as the real one does behind the caller's back; the caller has seen nothing
  // of it.
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  cudaStream_t const one = resolve(stream);
  if (one->capturing || refused_while_capturing()) {
    one->capture_is_broken = true;
    return fail(cudaErrorStreamCaptureUnsupported);
  }
  wait_for(one);
  return sticky(one->device);
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  cudaStream_t const one = resolve(stream);
  const std::lock_guard lock(one->mutex);
  if (!one->queue.empty() || one->busy) return cudaErrorNotReady;
  host_saw(one->clock);
  return sticky(one->device);
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  cudaStream_t const one = resolve(stream);
  std::uint64_t record = 0;
  {
    const std::lock_guard lock(event->state->mutex);
    record = event->state->recorded;
  }
  submit(one, "", [one, record, state = event->state] {
    wait_for_event(*state, record);
    const std::lock_guard lock(state->mutex);
    one->clock.join(state->clock);
    one->seconds = std::max(one->seconds, state->seconds);
  });
  return cudaSuccess;
}
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  if (stream == nullptr || stream->capturing) return fail(cudaErrorStreamCaptureUnsupported);
  stream->capturing = true;
  stream->capture_is_broken = false;
  captures().push_back(stream);
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  std::erase(captures(), stream);
  stream->capturing = false;
  *graph = nullptr;
  std::vector<Task> work = std::move(stream->captured);
  stream->captured.clear();
  if (stream->capture_is_broken) return fail(cudaErrorStreamCaptureInvalidated);
  *graph = new CUgraph_st{std::move(work)};
  return cudaSuccess;
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  *status = is_capturing(stream) ? cudaStreamCaptureStatusActive : cudaStreamCaptureStatusNone;
  return cudaSuccess;
}
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t graph, unsigned long long) {
  *to = new CUgraphExec_st{graph->work};
  ++counts().graphs;
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return cudaSuccess; }
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
  if (const cudaError_t code = sticky(device_of(stream)); code != cudaSuccess) return code;
  ++counts().graph_launches;
  for (const Task& task : graph->work) submit(stream, task.name, task.body);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
  --counts().graphs;
  delete graph;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* to) {
  *to = new CUevent_st{std::make_shared<EventState>()};
  (*to)->state->device = current_device();
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* to, unsigned) { return cudaEventCreate(to); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  delete event;
  return cudaSuccess;
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  cudaStream_t const one = resolve(stream);
  if (one->device != event->state->device) return fail(cudaErrorInvalidResourceHandle);
  std::uint64_t record = 0;
  {
    const std::lock_guard lock(event->state->mutex);
    record = ++event->state->recorded;
  }
  submit(one, "", [one, record, state = event->state] {
    const std::lock_guard lock(state->mutex);
    state->reached = record;
    state->seconds = play().seconds ? one->seconds : now();
    state->clock = one->clock;
    state->changed.notify_all();
  });
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  if (const cudaError_t code = sticky(event->state->device); code != cudaSuccess) return code;
  const std::lock_guard lock(event->state->mutex);
  if (event->state->reached < event->state->recorded) return cudaErrorNotReady;
  host_saw(event->state->clock);
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (refused_while_capturing()) return cudaErrorStreamCaptureUnsupported;
  EventState& state = *event->state;
  std::unique_lock lock(state.mutex);
  state.changed.wait(lock, [&] { return state.reached >= state.recorded; });
  host_saw(state.clock);
  close_memory();
  return sticky(state.device);
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t begin, cudaEvent_t end) {
  constexpr float kStep = 5e-4F;  // half a microsecond
  EventState& a = *begin->state;
  EventState& b = *end->state;
  const std::scoped_lock lock(a.mutex, b.mutex);
  if (a.device != b.device || a.recorded == 0 || b.recorded == 0) {
    return fail(cudaErrorInvalidResourceHandle);
  }
  if (a.reached < a.recorded || b.reached < b.recorded) return fail(cudaErrorNotReady);
  *milliseconds = std::max(static_cast<float>((b.seconds - a.seconds) * 1e3), kStep);
  return cudaSuccess;
}
}

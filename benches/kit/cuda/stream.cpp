#include "benches/kit/cuda/stream.hpp"

#include "benches/kit/cuda/check.hpp"

namespace rackproof::kit::cuda {

// Destructors say nothing of errors: what failed was said where it failed, and after a lost context
// every call fails.

Stream::Stream() { RACKPROOF_CUDA(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }

Stream::~Stream() {
  if (handle_ != nullptr) (void)cudaStreamDestroy(handle_);
}

Stream& Stream::operator=(Stream&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

void Stream::synchronize() const { RACKPROOF_CUDA(cudaStreamSynchronize(handle_)); }

Event::Event() { RACKPROOF_CUDA(cudaEventCreate(&handle_)); }

Event::~Event() {
  if (handle_ != nullptr) (void)cudaEventDestroy(handle_);
}

Event& Event::operator=(Event&& other) noexcept {
  std::swap(handle_, other.handle_);
  return *this;
}

void Event::record(const Stream& stream) const {
  RACKPROOF_CUDA(cudaEventRecord(handle_, stream.get()));
}

void Event::synchronize() const { RACKPROOF_CUDA(cudaEventSynchronize(handle_)); }

bool Event::done() const {
  const cudaError_t code = cudaEventQuery(handle_);
  if (code == cudaErrorNotReady) return false;
  RACKPROOF_CUDA(code);
  return true;
}

double seconds_between(const Event& start, const Event& stop) {
  float milliseconds = 0;
  RACKPROOF_CUDA(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  return milliseconds * 1e-3;
}

}  // namespace rackproof::kit::cuda

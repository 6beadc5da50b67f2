#pragma once

#include <cuda_runtime_api.h>

#include <utility>

namespace rackproof::kit::cuda {

/// A stream of the current device that does not wait for the default one. Move-only.
class Stream {
 public:
  Stream();
  ~Stream();
  Stream(Stream&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Stream& operator=(Stream&& other) noexcept;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  cudaStream_t get() const { return handle_; }
  /// Waits, asleep rather than spinning where the device was told so, for all that was queued.
  void synchronize() const;

 private:
  cudaStream_t handle_ = nullptr;
};

/// A point in a stream, with the device's time. Move-only.
class Event {
 public:
  Event();
  ~Event();
  Event(Event&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Event& operator=(Event&& other) noexcept;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;

  cudaEvent_t get() const { return handle_; }
  void record(const Stream& stream) const;
  void synchronize() const;
  /// True when all before it is done; throws when that failed.
  bool done() const;

 private:
  cudaEvent_t handle_ = nullptr;
};

/// Seconds of device time from `start` to `stop`, both reached.
double seconds_between(const Event& start, const Event& stop);

}  // namespace rackproof::kit::cuda

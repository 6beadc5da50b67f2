#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "benches/copy/machine.hpp"
#include "benches/copy/plan.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/stream.hpp"
#include "benches/kit/inject.hpp"
#include "benches/kit/pattern/device.hpp"

namespace rackproof::copy {

/// While it lives, the calling thread runs on `cpus` alone, and so its page-locked memory comes
/// from their NUMA domain (the kernel's default policy: memory of the domain that first touches
/// it).
class Bound {
 public:
  /// Throws kit::Unavailable when the kernel refuses.
  explicit Bound(const std::vector<int>& cpus);
  ~Bound();
  Bound(const Bound&) = delete;
  Bound& operator=(const Bound&) = delete;

 private:
  std::vector<int> before_;
};

/// A source and a destination of `span` bytes in the memory of each device, and in one NUMA domain
/// of the host at a time. The source of each memory has a pattern of its own.
class Memories {
 public:
  /// Throws kit::UsageError when a device or the host has not enough free memory, and says how
  /// much.
  Memories(const Machine& machine, const Window& window, std::uint64_t seed);

  /// Makes the host's memory that of `domain`; the thread is bound to it from then on.
  void enter(int domain);
  /// Gives the host's memory back.
  void leave();

  const std::uint64_t* source(int place) const;
  std::uint64_t* destination(int place) const;

  /// Overwrites the destination of `flow` with what no copy delivers, and waits.
  void poison(const Flow& flow);
  /// Flips a bit of it.
  void spoil(const Flow& flow, const kit::Injection& injection);
  /// Compares all of it with what the source held: on the device, or, in the host's memory, by the
  /// host.
  kit::pattern::Difference compare(const Flow& flow);

 private:
  struct OnDevice {
    kit::cuda::Stream stream;
    kit::pattern::DeviceComparer comparer;
    kit::cuda::DeviceBuffer<std::uint64_t> source;
    kit::cuda::DeviceBuffer<std::uint64_t> destination;
  };
  struct OnHost {
    int domain = -1;
    kit::cuda::PinnedBuffer<std::uint64_t> source;
    kit::cuda::PinnedBuffer<std::uint64_t> destination;
  };

  std::int64_t words() const { return window_.span() / 8; }
  std::uint64_t key(int place) const;
  int ordinal(int device) const;
  OnDevice& on(int device) const { return *devices_[static_cast<std::size_t>(device)]; }

  const Machine& machine_;
  Window window_;
  std::uint64_t seed_;
  std::vector<std::unique_ptr<OnDevice>> devices_;
  std::optional<Bound> bound_;
  std::optional<OnHost> host_;
};

}  // namespace rackproof::copy

#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>

#include "benches/kit/cuda/nvml.hpp"
#include "benches/swing/events.hpp"
#include "benches/swing/sensor.hpp"
#include "benches/swing/smoothing.hpp"

namespace rackproof::swing {

/// What a GPU counts, through NVML: nanoseconds under each reason to slow down where the driver
/// counts them (NVML_FI_DEV_CLOCKS_EVENT_REASON_*), how often a look found the reason, and Xid
/// errors; lost links are those of its node.
class GpuCounters : public Counters {
 public:
  /// `node` counts for the node where this rank is to do that.
  GpuCounters(std::shared_ptr<kit::cuda::Nvml> nvml, std::unique_ptr<Counters> node);
  EventCounts read() override;
  /// Looks at the reasons of this moment.
  void look();

 private:
  std::shared_ptr<kit::cuda::Nvml> nvml_;
  std::unique_ptr<Counters> node_;
  std::mutex mutex_;
  std::array<std::optional<double>, kEvents.size()> looks_{};
};

/// The energy counter of a GPU; each reading looks at what it counts too.
class GpuSensor : public Sensor {
 public:
  /// `counters` has to outlive it.
  GpuSensor(std::shared_ptr<kit::cuda::Nvml> nvml, GpuCounters& counters)
      : nvml_(std::move(nvml)), counters_(counters) {}

  std::optional<double> joules() override;
  std::optional<double> limit_watts() const override { return nvml_->power_limit_w(); }
  // A driver takes milliseconds to answer.
  double pause() const override { return 0.005; }

 private:
  std::shared_ptr<kit::cuda::Nvml> nvml_;
  GpuCounters& counters_;
};

/// What its power smoothing is set to: the preset in force, or what an administrator put over it.
Smoothing smoothing_of(const kit::cuda::Nvml& nvml);

}  // namespace rackproof::swing

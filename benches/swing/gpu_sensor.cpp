#include "benches/swing/gpu_sensor.hpp"

#include <utility>

namespace rackproof::swing {
namespace {

// NVML_FI_DEV_CLOCKS_EVENT_REASON_*, in nanoseconds, and the bit of nvmlClocksEventReasons.
struct Reason {
  Event event;
  unsigned field;
  std::uint64_t bit;
};
constexpr std::array kReasons{
    Reason{Event::kPowerLimit, 74, 0x4}, Reason{Event::kThrottle, 251, 0x20},
    Reason{Event::kThrottle, 252, 0x40}, Reason{Event::kPowerBrake, 253, 0x80}};

// NVML_FI_PWR_SMOOTHING_*. A rate is in mW/s and the hysteresis in ms; what belongs to a profile
// has its number as the scope.
constexpr unsigned kEnabled = 256;
constexpr unsigned kAppliedFloor = 260;
constexpr unsigned kProfileRise = 266;
constexpr unsigned kProfileFall = 267;
constexpr unsigned kProfileHysteresis = 268;
constexpr unsigned kActiveProfile = 269;
constexpr unsigned kOverrideRise = 271;
constexpr unsigned kOverrideFall = 272;
constexpr unsigned kOverrideHysteresis = 273;
constexpr double kNotSet = 0xFFFFFFFF;

std::size_t at(Event event) { return static_cast<std::size_t>(event); }

void add(std::optional<double>& sum, const std::optional<double>& more) {
  if (more) sum = sum.value_or(0) + *more;
}

}  // namespace

GpuCounters::GpuCounters(std::shared_ptr<kit::cuda::Nvml> nvml, std::unique_ptr<Counters> node)
    : nvml_(std::move(nvml)), node_(std::move(node)) {}

void GpuCounters::look() {
  const auto reasons = nvml_->throttle_reasons();
  if (!reasons) return;
  const std::lock_guard lock(mutex_);
  for (const Reason& reason : kReasons) {
    add(looks_[at(reason.event)], (*reasons & reason.bit) != 0 ? 1 : 0);
  }
}

EventCounts GpuCounters::read() {
  look();
  EventCounts counts = node_->read();
  const std::lock_guard lock(mutex_);
  for (const Reason& reason : kReasons) add(counts[at(reason.event)], nvml_->field(reason.field));
  for (const Event event : kEvents) add(counts[at(event)], looks_[at(event)]);
  if (const auto xids = nvml_->xids()) counts[at(Event::kXid)] = static_cast<double>(*xids);
  return counts;
}

std::optional<double> GpuSensor::joules() {
  counters_.look();
  return nvml_->energy_j();
}

Smoothing smoothing_of(const kit::cuda::Nvml& nvml) {
  Smoothing set;
  if (const auto enabled = nvml.field(kEnabled)) set.enabled = *enabled != 0;
  set.profile = nvml.field(kActiveProfile);
  set.floor_watts = nvml.field(kAppliedFloor);
  const auto scope = static_cast<unsigned>(set.profile.value_or(0));
  const auto value = [&](unsigned over, unsigned of_profile, double unit) {
    std::optional<double> found = nvml.field(over);
    if (!found || *found >= kNotSet) found = nvml.field(of_profile, scope);
    if (found) *found *= unit;
    return found;
  };
  set.rise_watts_a_second = value(kOverrideRise, kProfileRise, 1e-3);
  set.fall_watts_a_second = value(kOverrideFall, kProfileFall, 1e-3);
  set.hysteresis_seconds = value(kOverrideHysteresis, kProfileHysteresis, 1e-3);
  return set;
}

}  // namespace rackproof::swing

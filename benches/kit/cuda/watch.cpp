#include "benches/kit/cuda/watch.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "benches/kit/clock.hpp"

namespace rackproof::kit::cuda {
namespace {

using Field = std::optional<double> DeviceState::*;

std::vector<double> values_of(const std::vector<DeviceState>& states, Field field,
                              bool idle_too = false) {
  std::vector<double> values;
  for (const DeviceState& state : states) {
    if (state.*field && (idle_too || !state.idle)) values.push_back(*(state.*field));
  }
  return values;
}

// Watts: from the energy counter when the time between first and last state is long enough for its
// step of a few hundred milliseconds not to matter.
std::optional<double> mean_power(const std::vector<DeviceState>& states) {
  constexpr double kLongEnough = 2;
  const auto told = [](const DeviceState& state) { return state.energy_j.has_value(); };
  const auto first = std::find_if(states.begin(), states.end(), told);
  const auto last = std::find_if(states.rbegin(), states.rend(), told);
  if (first != states.end() && last->seconds - first->seconds >= kLongEnough) {
    return (*last->energy_j - *first->energy_j) / (last->seconds - first->seconds);
  }
  const std::vector<double> gauge = values_of(states, &DeviceState::power_w);
  if (gauge.empty()) return std::nullopt;
  double sum = 0;
  for (const double watts : gauge) sum += watts;
  return sum / static_cast<double>(gauge.size());
}

void add_range(contract::Parameters& facts, const char* name, const std::vector<double>& values) {
  if (values.empty()) return;
  facts[fmt::format("{}_min", name)] = *std::min_element(values.begin(), values.end());
  facts[fmt::format("{}_max", name)] = *std::max_element(values.begin(), values.end());
}

}  // namespace

contract::Parameters summarise(const std::vector<DeviceState>& states,
                               std::optional<double> power_limit_w) {
  if (states.empty()) return {{"clocks", "unknown"}};
  contract::Parameters facts = {{"states", static_cast<std::int64_t>(states.size())}};
  add_range(facts, "sm_clock_hz", values_of(states, &DeviceState::sm_clock_hz));
  add_range(facts, "memory_clock_hz", values_of(states, &DeviceState::memory_clock_hz));
  add_range(facts, "temperature_c", values_of(states, &DeviceState::temperature_c, true));
  if (const auto power = mean_power(states)) facts["power_w"] = *power;
  if (power_limit_w) facts["power_limit_w"] = *power_limit_w;
  std::uint64_t reasons = 0;
  bool told = false;
  for (const DeviceState& state : states) {
    if (state.idle) continue;
    told = told || state.throttle_reasons.has_value();
    reasons |= state.throttle_reasons.value_or(0);
  }
  if (told) facts["throttle"] = fmt::format("{}", fmt::join(throttle_names(reasons), ","));
  return facts;
}

Watch::Watch(const std::string& uuid) : nvml_(Nvml::open(uuid)) {}

void Watch::look(bool idle) {
  if (!nvml_) return;
  constexpr double kEnergyEvery = 1;
  const bool energy = states_.empty() || now_seconds() - energy_at_ >= kEnergyEvery;
  states_.push_back(nvml_->read(energy));
  states_.back().idle = idle;
  if (energy) energy_at_ = states_.back().seconds;
}

contract::Parameters Watch::facts() {
  return summarise(std::exchange(states_, {}), power_limit_w());
}

std::optional<double> Watch::power_limit_w() const {
  return nvml_ ? nvml_->power_limit_w() : std::nullopt;
}

}  // namespace rackproof::kit::cuda

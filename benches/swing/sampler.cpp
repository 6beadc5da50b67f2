#include "benches/swing/sampler.hpp"

#include <algorithm>

namespace rackproof::swing {

Sampler::Sampler(Sensor& sensor, const OwnClock& clock)
    : sensor_(sensor), clock_(clock), thread_([this] { run(); }) {}

Sampler::~Sampler() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
}

std::vector<EnergyReading> Sampler::stop() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  return failed_ ? std::vector<EnergyReading>() : readings_;
}

void Sampler::run() {
  double next = clock_.now();
  for (bool last = false; !last;) {
    last = stop_;
    const auto joules = sensor_.joules();
    if (!joules) {
      failed_ = true;
      return;
    }
    // Between two values that are alike is nothing that an update would not say too.
    if (readings_.empty() || *joules > readings_.back().joules) {
      readings_.push_back({clock_.now(), *joules});
    }
    if (last) return;
    // One that was held up goes on from where it is.
    next = std::max(next + sensor_.pause(), clock_.now());
    clock_.sleep_until(next);
  }
}

std::optional<double> idle_watts(Sensor& sensor, const OwnClock& clock, double seconds) {
  Sampler sampler(sensor, clock);
  clock.sleep_until(clock.now() + seconds);
  const std::vector<EnergyReading> updates = sampler.stop();
  if (updates.size() < 3) return std::nullopt;
  // The first reading fell somewhere into its update.
  return (updates.back().joules - updates[1].joules) / (updates.back().at - updates[1].at);
}

}  // namespace rackproof::swing

#include "benches/burn/cuda_burner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "benches/kit/clock.hpp"
#include "benches/kit/product/device_proof.hpp"

namespace rackproof::burn {
namespace {

namespace cuda = kit::cuda;

constexpr double kLookEvery = 0.1;  // seconds between two looks at clocks and power
constexpr double kSayEvery = 0.5;   // seconds between two words about progress
// The host sleeps while a window runs, and waits awake for the end of it: a nap would leave the
// device without work.
constexpr double kAwake = 0.02;
constexpr double kNap = 0.005;
// Marks the comparison of an exact product in a label.
constexpr std::uint64_t kExactLabel = std::uint64_t{1} << 63;

void nap(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Burner::Burner(const CudaSettings& settings, const std::string& uuid, std::uint64_t seed,
               kit::Session& session)
    : settings_(settings), seed_(seed), session_(session), watch_(uuid) {}

double Burner::elapsed() const { return kit::now_seconds() - start_; }

void Burner::burn(const std::vector<Workload*>& workloads) {
  for (Workload* const workload : workloads) {
    tallies_.emplace_back();
    tallies_.back().workload = workload;
    tallies_.back().seconds_of_one = workload->seconds_of_one();
  }
  start_ = kit::now_seconds();
  stretch_began_ = start_;
  look(true);
  // Each has a window at least: a burn that did no work has no result.
  const auto least = static_cast<std::int64_t>(tallies_.size());
  const bool must_flip = settings_.flip >= 0;
  while (windows_ < least || elapsed() < settings_.seconds || (must_flip && !flipped_)) {
    Tally& tally = tallies_[static_cast<std::size_t>(windows_ % least)];
    progress(tally);
    ++windows_;
    window(tally);
    end_stretch(false);
  }
  end_stretch(true);
}

void Burner::window(Tally& tally) {
  // A short rest of the time is not worth a window of its own, but for a dtype that had none yet.
  const double left = settings_.seconds - elapsed();
  const double seconds = std::clamp(left, settings_.window / 2, settings_.window);
  const Interval interval =
      settings_.pulse_period > 0 ? pulses(tally, seconds) : steady(tally, seconds);
  tally.seconds_of_one = interval.seconds / static_cast<double>(interval.multiplications);
  tally.rates.push_back(tally.workload->operations() / tally.seconds_of_one);
  read_findings(tally);
}

Burner::Interval Burner::steady(Tally& tally, double seconds) {
  // One of them is exact, and there is one at least of the others.
  const std::int64_t count = std::max<std::int64_t>(2, count_for(seconds, tally.seconds_of_one));
  return {load(tally, count, true), count};
}

Burner::Interval Burner::pulses(Tally& tally, double seconds) {
  const double until = kit::now_seconds() + seconds;
  Interval interval;
  do {
    while (true) {
      const double now = wall_seconds();
      // Asleep until shortly before; the period may be of the length of a nap.
      const double left = next_pulse(now, settings_.pulse_period) - now;
      look(true);
      if (left <= kNap) {
        nap(left);
        break;
      }
      nap(std::min(left - kNap, kLookEvery));
    }
    const std::int64_t count = std::max<std::int64_t>(
        interval.multiplications == 0 ? 2 : 1,
        count_for(settings_.pulse_period * settings_.pulse_duty, tally.seconds_of_one));
    interval.seconds += load(tally, count, interval.multiplications == 0);
    interval.multiplications += count;
  } while (kit::now_seconds() < until);
  return interval;
}

double Burner::load(Tally& tally, std::int64_t count, bool with_exact) {
  Workload& workload = *tally.workload;
  const std::int64_t ordinary = with_exact ? count - 1 : count;
  const std::optional<std::int64_t> flip =
      flipped_ ? std::nullopt
               : flip_place(settings_.flip, elapsed(), ordinary, tally.seconds_of_one);
  begin_.record(stream_);
  for (std::int64_t i = 0; i < ordinary; ++i) {
    const std::int64_t index = tally.multiplications++;
    workload.queue(index, fault_before(tally, i, flip), static_cast<std::uint64_t>(index), stream_);
    look();
  }
  if (with_exact) {
    const std::int64_t index = tally.multiplications++;
    workload.queue_exact(index, static_cast<std::uint64_t>(index) | kExactLabel, stream_);
    ++tally.exact;
  }
  end_.record(stream_);
  wait_for(end_, static_cast<double>(count) * tally.seconds_of_one);
  return cuda::seconds_between(begin_, end_);
}

// The bit of --inject goes into the very first result, that of --flip into the one of its time.
std::optional<kit::Injection> Burner::fault_before(const Tally& tally, std::int64_t place,
                                                   const std::optional<std::int64_t>& flip) {
  const auto asked = session_.injection();
  if (asked && !injected_) {
    injected_ = true;
    return asked;
  }
  if (!flip || place != *flip) return std::nullopt;
  flipped_ = true;
  const std::uint64_t word = product::mix(seed_, static_cast<std::uint64_t>(tally.multiplications));
  return kit::Injection{static_cast<std::int64_t>(word >> 1U), 0};
}

void Burner::wait_for(const cuda::Event& end, double expected) {
  const double awake = kit::now_seconds() + expected - kAwake;
  while (kit::now_seconds() < awake && !end.done()) {
    nap(kNap);
    look();
  }
  end.synchronize();
}

void Burner::read_findings(Tally& tally) {
  const Workload& workload = *tally.workload;
  const product::Findings found = workload.findings();
  tally.wrong = static_cast<std::int64_t>(found.wrong);
  if (found.wrong == 0 || tally.first) return;
  const auto index = static_cast<std::int64_t>(found.label & ~kExactLabel);
  const std::string where = fmt::format("window {}, {}multiplication {}, result matrix {}, ",
                                        windows_, (found.label & kExactLabel) != 0 ? "exact " : "",
                                        index + 1, turn_of(index, workload.slots()).slot);
  tally.first = product::fault_of(found, workload.type().result_bytes, settings_.size, where).first;
}

void Burner::look(bool idle) {
  const double now = kit::now_seconds();
  if (now - looked_ < kLookEvery) return;
  looked_ = now;
  watch_.look(idle);
  if (watch_.states().empty()) return;
  const cuda::DeviceState& state = watch_.states().back();
  if (!first_state_) first_state_ = state;
  if (state.energy_j) last_state_ = state;
}

// State and power of the seconds that have passed since the last word about them.
void Burner::end_stretch(bool last) {
  const double now = kit::now_seconds();
  const double length = stretch_seconds(settings_.seconds);
  if (now - stretch_began_ < (last ? length / 2 : length) && !(last && stretches_ == 0)) return;
  looked_ = 0;
  look(true);
  contract::Parameters facts = watch_.facts();
  facts["from_seconds"] = stretch_began_ - start_;
  facts["to_seconds"] = now - start_;
  for (const Tally& tally : tallies_) {
    if (tally.rates.empty()) continue;
    facts[fmt::format("{}_rate", tally.workload->type().name)] = tally.rates.back();
  }
  if (const auto power = facts.find("power_w"); power != facts.end()) {
    power_samples_.push_back(std::get<double>(power->second));
  }
  session_.note(
      fmt::format("burn, seconds {:.0f} to {:.0f}", stretch_began_ - start_, now - start_),
      std::move(facts));
  // The next stretch begins with the state that this one ended with.
  looked_ = 0;
  look(true);
  stretch_began_ = now;
  ++stretches_;
}

void Burner::progress(const Tally& tally) {
  const double now = kit::now_seconds();
  if (now - said_ < kSayEvery) return;
  said_ = now;
  session_.phase(fmt::format("burning {}", tally.workload->type().name),
                 std::clamp((now - start_) / settings_.seconds, 0.0, 1.0));
}

std::optional<double> Burner::mean_power() const {
  constexpr double kLongEnough = 2;
  if (!first_state_ || !first_state_->energy_j || !last_state_) return std::nullopt;
  const double seconds = last_state_->seconds - first_state_->seconds;
  if (seconds < kLongEnough) return std::nullopt;
  return (*last_state_->energy_j - *first_state_->energy_j) / seconds;
}

}  // namespace rackproof::burn

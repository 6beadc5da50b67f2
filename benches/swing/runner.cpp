#include "benches/swing/runner.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <thread>

#include "benches/swing/sampler.hpp"

namespace rackproof::swing {
namespace {

// From the agreement on a start to the start: all ranks have heard of it and made their threads.
constexpr double kLead = 0.3;
// From the end of a run on: energy counters move once more, so that they reach over all of it.
constexpr double kTail = 0.3;

void to_common(std::vector<double>& instants, const ClockLine& line) {
  for (double& instant : instants) instant = line.common(instant);
}

}  // namespace

Runner::Runner(const Ranks& ranks, const Config& config, const Plants& plants,
               const OwnClock& clock, const Parts& parts, Event stop)
    : ranks_(ranks), config_(config), plants_(plants), clock_(clock), parts_(parts), stop_(stop) {}

bool Runner::planted(const std::set<std::int64_t>& ranks, const Run& run) const {
  return run.in_phase && ranks.count(ranks_.rank()) > 0;
}

double Runner::phase(const Run& run) const {
  const auto seed = static_cast<std::uint64_t>(config_.seed + run.round);
  return spread_phases(ranks_.size(), seed)[static_cast<std::size_t>(ranks_.rank())];
}

LoadPlan Runner::load_plan(const Run& run, const Shape& shape, const ClockLine& line) const {
  LoadPlan plan;
  plan.seed = static_cast<std::uint64_t>(config_.seed + run.round);
  const auto late = plants_.late.find(ranks_.rank());
  const double delay = late == plants_.late.end() ? 0 : late->second;
  const bool own = config_.clocks == "own";
  for (const Pulse& pulse : shape.pulses) {
    plan.pulses.push_back({(own ? pulse.on : line.theirs(pulse.on)) + delay,
                           (own ? pulse.off : line.theirs(pulse.off)) + delay});
  }
  const double from = line.theirs(shape.from);
  const double end = line.theirs(shape.from + shape.width * static_cast<double>(shape.bins));
  plan.trace = WorkTrace(from, (end - from) / static_cast<double>(shape.bins), shape.bins);
  return plan;
}

bool Runner::watch(const Run& run, const ClockLine& line, double start, double end,
                   const EventCounts& before, std::atomic<bool>& stop) const {
  for (const double look : looks_of(run, config_.duty, start, end)) {
    clock_.sleep_until(line.theirs(look));
    const bool limited = config_.on_limit == "stop" &&
                         (planted(plants_.power_limit, run) ||
                          (run.in_phase && came(before, parts_.counters->read(), stop_)));
    if (!ranks_.any(limited)) continue;
    stop = true;
    return true;
  }
  return false;
}

void Runner::swing(const Run& run, const LoadPlan& plan, const ClockLine& line, double start,
                   const std::optional<kit::Injection>& injection, RunResult& result) {
  const EventCounts before = parts_.counters->read();
  std::optional<Sampler> sampler;
  if (parts_.sensor != nullptr) sampler.emplace(*parts_.sensor, clock_);
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::thread load([&] {
    try {
      result.load = parts_.load->run(plan, clock_, stop, injection);
    } catch (...) {
      failure = std::current_exception();
    }
  });
  try {
    result.stopped = watch(run, line, start, result.shape.end + kTail, before, stop);
  } catch (...) {
    stop = true;
    load.join();
    throw;
  }
  load.join();
  if (failure) std::rethrow_exception(failure);
  if (sampler) result.updates = sampler->stop();
  const EventCounts after = parts_.counters->read();
  for (const Event event : kEvents) {
    result.came[static_cast<std::size_t>(event)] = came(before, after, event);
  }
  if (planted(plants_.power_limit, run)) {
    result.came[static_cast<std::size_t>(stop_)] = true;
  }
  if (planted(plants_.throttle, run) && run.kind == Run::Kind::kSquare) {
    result.came[static_cast<std::size_t>(Event::kThrottle)] = true;
  }
}

RunResult Runner::run(const Run& run, const std::optional<kit::Injection>& injection) {
  const Reading first = ranks_.align(clock_, config_.exchanges, questions_);
  const ClockLine line(first, before_);
  before_ = first;
  const double start = ranks_.from_first(clock_.now() + kLead);
  RunResult result;
  result.looks = parts_.looks;
  result.shape = shape_of(run, config_.duty, start, phase(run), ranks_.rank() < run.swinging);
  swing(run, load_plan(run, result.shape, line), line, start, injection, result);
  const Reading second = ranks_.align(clock_, config_.exchanges, questions_);
  const ClockLine between = ClockLine::through(first, second);
  to_common(result.load.rises, between);
  to_common(result.load.falls, between);
  for (EnergyReading& update : result.updates) update.at = between.common(update.at);
  result.bound = std::max(first.bound, second.bound) + result.load.tied;
  result.drifted = second.offset - first.offset;
  return result;
}

}  // namespace rackproof::swing

#include "benches/swing/device_load.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benches/kit/cuda/check.hpp"

namespace rackproof::swing {
namespace {

using kit::cuda::seconds_between;

// A piece of work, between two events: so short that a pulse ends in time, so long that queuing the
// next one is no hurry.
constexpr double kPiece = 0.001;
// Before a pulse: the device is tied to the clock, and the host is awake.
constexpr double kReady = 0.003;
constexpr double kAwake = 0.0002;
// A rank that sleeps through the whole of a long beat would not see that it is to stop.
constexpr double kNap = 0.05;
constexpr int kTries = 5;

bool wait(const OwnClock& clock, double moment, const std::atomic<bool>& stop) {
  while (!stop.load(std::memory_order_relaxed)) {
    const double nap = clock.now() + kNap;
    if (nap >= moment) {
      clock.sleep_until(moment, kAwake);
      return !stop.load(std::memory_order_relaxed);
    }
    clock.sleep_until(nap);
  }
  return false;
}

}  // namespace

DeviceLoad::DeviceLoad(int device, std::string name, std::int64_t size, std::uint64_t seed)
    : device_(device), name_(std::move(name)), work_(size, seed) {
  constexpr double kMost = 1000;
  in_piece_ =
      static_cast<std::int64_t>(std::clamp(std::round(kPiece / work_.seconds()), 1.0, kMost));
}

double DeviceLoad::anchor(const OwnClock& clock, double& tied) {
  double shortest = 1e9;
  double at = 0;
  double device = 0;
  for (int i = 0; i < kTries; ++i) {
    // Each try has an event of its own place in time, and the last one recorded is the anchor.
    kit::cuda::Event& event = i == 0 ? anchor_ : begin_;
    const double before = clock.now();
    event.record(stream_);
    event.synchronize();
    const double after = clock.now();
    if (after - before >= shortest) continue;
    shortest = after - before;
    at = before + shortest / 2;
    device = i == 0 ? 0 : seconds_between(anchor_, begin_);
  }
  tied = std::max(tied, shortest / 2);
  return at - device;
}

void DeviceLoad::queue_piece(std::size_t place, std::uint64_t pulse,
                             std::optional<kit::Injection>& injection) {
  for (std::int64_t i = 0; i < in_piece_; ++i) {
    work_.queue(pulse, injection, stream_);
    injection.reset();
  }
  ends_[place].record(stream_);
}

void DeviceLoad::pulse(const Pulse& pulse, const OwnClock& clock, const std::atomic<bool>& stop,
                       std::optional<kit::Injection>& injection, LoadResult& result) {
  const double tied = anchor(clock, result.tied);
  if (!wait(clock, pulse.on, stop)) return;
  const auto label = static_cast<std::uint64_t>(result.rises.size() + 1);
  begin_.record(stream_);
  queue_piece(0, label, injection);
  double began = 0;
  std::size_t pieces = 1;
  std::size_t done = 0;
  const auto finish = [&] {
    const kit::cuda::Event& end = ends_[done % 2];
    end.synchronize();
    if (done == 0) {
      began = tied + seconds_between(anchor_, begin_);
      result.rises.push_back(began);
    }
    const double ended = tied + seconds_between(anchor_, end);
    result.trace.add(began, ended);
    began = ended;
    result.compared += in_piece_ * work_.elements();
    ++done;
  };
  // One more while another is under way, as long as it would end in time.
  while (!stop.load(std::memory_order_relaxed) && clock.now() + 1.5 * piece_seconds() < pulse.off) {
    if (pieces - done == 2) finish();
    queue_piece(pieces % 2, label, injection);
    ++pieces;
  }
  while (done < pieces) finish();
  result.falls.push_back(began);
}

void DeviceLoad::read(LoadResult& result) {
  const product::Findings found = work_.findings();
  result.wrong += static_cast<std::int64_t>(found.wrong);
  if (found.wrong > 0) {
    result.first_wrong = {static_cast<double>(found.label), static_cast<double>(found.element),
                          static_cast<double>(found.got), static_cast<double>(found.want)};
  }
  if (told_) return;
  told_ = true;
  result.compared += work_.elements();
  result.wrong += work_.proved().wrong;
  if (work_.proved().wrong > 0 && !result.first_wrong) result.first_wrong = WrongElement();
}

LoadResult DeviceLoad::run(const LoadPlan& plan, const OwnClock& clock,
                           const std::atomic<bool>& stop,
                           const std::optional<kit::Injection>& injection) {
  // The runtime has a current device for each thread.
  RACKPROOF_CUDA(cudaSetDevice(device_));
  LoadResult result;
  result.trace = plan.trace;
  work_.forget(stream_);
  std::optional<kit::Injection> fault = injection;
  for (const Pulse& one : plan.pulses) {
    if (!wait(clock, one.on - kReady, stop)) break;
    pulse(one, clock, stop, fault, result);
  }
  read(result);
  return result;
}

std::string DeviceLoad::proof() const {
  return "every bit of every result of a product in bf16, against the first one, whose algorithm "
         "gave the exact product of integers";
}

protocol::Note DeviceLoad::note() const {
  return {fmt::format("rank 0 computes on {}: products that take {:.3f} ms, {} of them a piece of "
                      "work",
                      name_, work_.seconds() * 1e3, in_piece_),
          {{"product_seconds", work_.seconds()}, {"products", in_piece_}}};
}

}  // namespace rackproof::swing

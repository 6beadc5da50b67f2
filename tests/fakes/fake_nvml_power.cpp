// The power of GPUs that follows the load of the devices that the host plays.
#include "tests/fakes/fake_nvml_power.hpp"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "tests/support/cuda_host/busy.hpp"

namespace rackproof::fakes {
namespace {

using cuda_host::BusySlot;

constexpr double kStep = 0.001;
// Devices are at work together where each was for more than half of so long.
constexpr double kTogether = 0.05;

double number(const NvmlGpu& gpu, const char* name) {
  const auto found = gpu.state.find(name);
  return found == gpu.state.end() ? 0 : found->second;
}

double busy_seconds(const BusySlot& slot, double now) {
  const double since = static_cast<double>(slot.since.load()) * 1e-9;
  const double total = static_cast<double>(slot.total.load()) * 1e-9;
  return since == 0 ? total : total + std::max(0.0, now - since);
}

// How many devices are at work together, by what all of them were up to a while ago.
class Crowd {
 public:
  int together(double now) {
    Moment latest{now, {}};
    if (const auto* const table = cuda_host::busy_table()) {
      for (const BusySlot& slot : *table) latest.busy.push_back(busy_seconds(slot, now));
    }
    moments_.push_back(std::move(latest));
    while (moments_.size() > 2 && moments_[1].at <= now - kTogether) moments_.pop_front();
    const Moment& first = moments_.front();
    const Moment& last = moments_.back();
    if (last.at - first.at < kTogether / 2) return 0;
    int count = 0;
    for (std::size_t i = 0; i < last.busy.size(); ++i) {
      if (last.busy[i] - first.busy[i] > (last.at - first.at) / 2) ++count;
    }
    return count;
  }

 private:
  struct Moment {
    double at;
    std::vector<double> busy;
  };
  std::deque<Moment> moments_;
};

class Follower {
 public:
  FollowedPower at(const NvmlGpu& gpu, double now) {
    const BusySlot* const slot = slot_of(gpu.uuid);
    const double busy = slot == nullptr ? 0 : busy_seconds(*slot, now);
    if (last_ == 0) {
      now_.watts = number(gpu, "idle_watts");
      last_ = idle_since_ = now;
      last_busy_ = busy;
    }
    const double on = std::clamp(busy - last_busy_, 0.0, now - last_);
    // Where it is at work now it was so last, and where it is not, first.
    const bool works = slot != nullptr && slot->since != 0;
    const double from = works ? now - on : last_;
    for (double moment = last_; moment < now; moment += kStep) {
      step(gpu, moment, std::min(kStep, now - moment), moment >= from && moment < from + on);
    }
    const double most = number(gpu, "brake_devices");
    now_.brakes = most > 0 && crowd_.together(now) >= most;
    if (now_.brakes) now_.brake_ns += (now - last_) * 1e9;
    last_ = now;
    last_busy_ = std::max(busy, last_busy_);
    return now_;
  }

 private:
  static const BusySlot* slot_of(const std::string& uuid) {
    constexpr std::size_t kHost = 21;  // GPU-c9000000-0000-0000-00HH-0000000000II
    if (uuid.size() < kHost + 4) return nullptr;
    const auto hex = [](const std::string& text) {
      return std::strtoul(text.c_str(), nullptr, 16);
    };
    return cuda_host::busy_slot(hex(uuid.substr(uuid.size() - 15, 2)),
                                hex(uuid.substr(uuid.size() - 2)));
  }

  void step(const NvmlGpu& gpu, double moment, double length, bool on) {
    const double idle = number(gpu, "idle_watts");
    if (on) idle_since_ = moment + length;
    const bool smooths = number(gpu, "smooths") != 0;
    double wanted = on ? number(gpu, "busy_watts") : idle;
    if (smooths && !on && moment - idle_since_ < number(gpu, "smoothing_hysteresis_ms") * 1e-3) {
      wanted = std::max(idle, number(gpu, "smoothing_floor_watts"));
    }
    if (smooths) {
      const double up = number(gpu, "smoothing_rise_milliwatts") * 1e-3 * length;
      const double down = number(gpu, "smoothing_fall_milliwatts") * 1e-3 * length;
      wanted = std::clamp(wanted, now_.watts - down, now_.watts + up);
    }
    now_.watts = wanted;
    now_.joules += wanted * length;
  }

  FollowedPower now_;
  double last_ = 0;
  double last_busy_ = 0;
  double idle_since_ = 0;
  Crowd crowd_;
};

std::mutex mutex;
std::map<std::string, Follower> followers;

}  // namespace

bool follows_load(const NvmlGpu& gpu) { return gpu.state.contains("busy_watts"); }

FollowedPower followed_power(const NvmlGpu& gpu) {
  const std::lock_guard lock(mutex);
  return followers[gpu.uuid].at(gpu, static_cast<double>(cuda_host::busy_clock()) * 1e-9);
}

}  // namespace rackproof::fakes

#include "benches/swing/own_clock.hpp"

#include <cmath>
#include <ctime>

namespace rackproof::swing {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::int64_t read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * kSecond + time.tv_nsec;
}

// Out of many readings between two of the other clock the one that took the least: a thread may be
// held up between any two.
std::int64_t wall_ahead_of_monotonic() {
  constexpr int kReadings = 100;
  std::int64_t least = INT64_MAX;
  std::int64_t ahead = 0;
  for (int i = 0; i < kReadings; ++i) {
    const std::int64_t before = read(CLOCK_MONOTONIC);
    const std::int64_t wall = read(CLOCK_REALTIME);
    const std::int64_t took = read(CLOCK_MONOTONIC) - before;
    if (took >= least) continue;
    least = took;
    ahead = wall - (before + took / 2);
  }
  return ahead;
}

}  // namespace

OwnClock::OwnClock(std::int64_t base, double shift)
    : ahead_(wall_ahead_of_monotonic() - base * kSecond + std::llround(shift * 1e9)) {}

double OwnClock::now() const { return static_cast<double>(read(CLOCK_MONOTONIC) + ahead_) * 1e-9; }

void OwnClock::sleep_until(double moment, double spin) const {
  const std::int64_t at = std::llround((moment - spin) * 1e9) - ahead_;
  const timespec time{at / kSecond, at % kSecond};
  if (at > 0) {
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) continue;
  }
  while (now() < moment) continue;
}

std::int64_t wall_seconds() { return read(CLOCK_REALTIME) / kSecond; }

}  // namespace rackproof::swing

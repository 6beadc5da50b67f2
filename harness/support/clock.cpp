#include "harness/support/clock.hpp"

#include <time.h>

#include <cstdint>

#include "reports/model/utc.hpp"

namespace rackproof::support {

double SystemClock::now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string SystemClock::utc() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  return model::utc_text(std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec);
}

void SystemClock::sleep(double seconds) {
  if (!(seconds > 0)) return;
  timespec left{};
  left.tv_sec = static_cast<time_t>(seconds);
  left.tv_nsec = static_cast<long>((seconds - static_cast<double>(left.tv_sec)) * 1e9);
  // A signal ends the sleep early on purpose: the caller's loop looks at its flags.
  clock_nanosleep(CLOCK_MONOTONIC, 0, &left, nullptr);
}

}  // namespace rackproof::support

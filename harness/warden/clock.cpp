#include "harness/warden/clock.hpp"

#include <fmt/format.h>
#include <time.h>

#include <cerrno>
#include <ctime>

namespace rackproof::warden {

double SystemClock::now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string SystemClock::utc() {
  timespec time{};
  clock_gettime(CLOCK_REALTIME, &time);
  std::tm parts{};
  gmtime_r(&time.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     time.tv_nsec / 1'000'000);
}

void SystemClock::sleep(double seconds) {
  if (!(seconds > 0)) return;
  timespec left{};
  left.tv_sec = static_cast<time_t>(seconds);
  left.tv_nsec = static_cast<long>((seconds - static_cast<double>(left.tv_sec)) * 1e9);
  // A signal ends the sleep early on purpose: the caller's loop looks at its flags.
  clock_nanosleep(CLOCK_MONOTONIC, 0, &left, nullptr);
}

}  // namespace rackproof::warden

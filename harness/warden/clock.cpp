#include "harness/warden/clock.hpp"

#include <fmt/format.h>
#include <time.h>

#include <cerrno>
#include <ctime>
#include <string_view>

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

std::optional<double> unix_seconds(const std::string& utc) {
  constexpr std::string_view kShape = "dddd-dd-ddTdd:dd:dd.dddZ";
  if (utc.size() != kShape.size()) return std::nullopt;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = utc[i] >= '0' && utc[i] <= '9';
    if (kShape[i] == 'd' ? !digit : utc[i] != kShape[i]) return std::nullopt;
  }
  const auto number = [&](std::size_t at, std::size_t digits) {
    int value = 0;
    for (std::size_t i = at; i < at + digits; ++i) value = value * 10 + (utc[i] - '0');
    return value;
  };
  std::tm parts{};
  parts.tm_year = number(0, 4) - 1900;
  parts.tm_mon = number(5, 2) - 1;
  parts.tm_mday = number(8, 2);
  parts.tm_hour = number(11, 2);
  parts.tm_min = number(14, 2);
  parts.tm_sec = number(17, 2);
  return static_cast<double>(timegm(&parts)) + number(20, 3) * 1e-3;
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

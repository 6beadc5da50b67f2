#include "tests/sim/clock.hpp"

#include <fmt/format.h>

#include <cmath>
#include <ctime>

namespace rackproof::sim {

std::string HostClock::utc() {
  constexpr std::time_t kBegin = 1'893'456'000;  // 2030-01-01T00:00:00Z
  const double shown = time_.now + offset_;
  const double whole = std::floor(shown);
  const std::time_t seconds = kBegin + static_cast<std::time_t>(whole);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     static_cast<int>((shown - whole) * 1000));
}

}  // namespace rackproof::sim

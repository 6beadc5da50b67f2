#include "tests/fakes/fake_clock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <stdexcept>

namespace rackproof::fakes {
namespace {

constexpr std::time_t kBegin = 1'893'456'000;  // 2030-01-01T00:00:00Z
constexpr long kMostSleeps = 5'000'000;

}  // namespace

std::string FakeClock::utc() {
  const double whole = std::floor(now_);
  const std::time_t seconds = kBegin + static_cast<std::time_t>(whole);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     static_cast<int>((now_ - whole) * 1000));
}

void FakeClock::sleep(double seconds) {
  if (turning_) return;
  if (++sleeps_ > kMostSleeps) throw std::logic_error("the fake clock is slept on without end");
  now_ += std::max(0.0, seconds);
  turning_ = true;
  try {
    while (!due_.empty() && due_.begin()->first <= now_) {
      const auto what = std::move(due_.begin()->second);
      due_.erase(due_.begin());
      what();
    }
    if (turn_) turn_();
  } catch (...) {
    turning_ = false;
    throw;
  }
  turning_ = false;
}

}  // namespace rackproof::fakes

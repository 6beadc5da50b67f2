#include "benches/steps/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "benches/kit/clock.hpp"

namespace rackproof::steps {
namespace {

constexpr std::array<std::string_view, kWorks> kWords{
    "attention.qkv", "attention.core", "attention.output", "mlp.gate_up", "mlp.down"};

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

std::string_view word(Work work) { return kWords[static_cast<std::size_t>(work)]; }

std::string text_of(Work work, Pass pass) {
  return fmt::format("{} {}", word(work), pass == Pass::kForward ? "forward" : "backward");
}

double WorkTimes::total() const {
  double sum = 0;
  for (const auto& work : seconds) sum += work[0] + work[1];
  return sum;
}

void sleep_until(double moment) {
  timespec time{};
  time.tv_sec = static_cast<time_t>(std::floor(moment));
  time.tv_nsec = static_cast<long>((moment - std::floor(moment)) * 1e9);
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) continue;
}

void Cores::run(Work work, Pass pass, const std::function<void()>& product) {
  const bool slow = slow_ > 1 && work == Work::kDown && pass == Pass::kForward;
  const double start = kit::now_seconds();
  const double busy = share_ < 1 ? thread_seconds() : 0;
  for (std::int64_t i = 0; i < (slow ? slow_ : 1); ++i) product();
  if (share_ < 1) {
    double& least = least_.at(work, pass);
    const double took = thread_seconds() - busy;
    least = least == 0 || slow ? took : std::min(least, took);
    sleep_until(start + least / share_);
  }
  times_.at(work, pass) += kit::now_seconds() - start;
}

}  // namespace rackproof::steps

#include "benches/steps/cores.hpp"

#include <fmt/format.h>

#include <algorithm>
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
  // now_seconds() counts from a start of its own.
  const double left = moment - kit::now_seconds();
  if (left <= 0) return;
  constexpr std::int64_t kSecond = 1'000'000'000;
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  const std::int64_t nanoseconds = time.tv_nsec + static_cast<std::int64_t>(left * 1e9);
  time.tv_sec += nanoseconds / kSecond;
  time.tv_nsec = nanoseconds % kSecond;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr) != 0) continue;
}

void Cores::run(Work work, Pass pass, const std::function<void()>& product) {
  const bool slow = slow_ > 1 && work == Work::kDown && pass == Pass::kForward;
  const std::int64_t times = slow ? slow_ : 1;
  const double start = kit::now_seconds();
  const double busy = thread_seconds();
  for (std::int64_t i = 0; i < times; ++i) product();
  double& least = least_.at(work, pass);
  const double took = (thread_seconds() - busy) / static_cast<double>(times);
  least = least == 0 ? took : std::min(least, took);
  if (share_ < 1) {
    sleep_until(start + static_cast<double>(times) * pace_.at(work, pass) / share_);
  }
  times_.at(work, pass) += kit::now_seconds() - start;
}

}  // namespace rackproof::steps

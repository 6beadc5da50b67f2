#include "benches/kit/clock.hpp"

#include <ctime>

namespace rackproof::kit {
namespace {

timespec read_clock() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now;
}

double measure_resolution() {
  constexpr int kSteps = 2000;
  double smallest = 1;
  double last = now_seconds();
  for (int steps = 0; steps < kSteps;) {
    const double now = now_seconds();
    if (now == last) continue;
    if (now - last < smallest) smallest = now - last;
    last = now;
    ++steps;
  }
  return smallest;
}

}  // namespace

double now_seconds() {
  // A start near the first call keeps nanoseconds in a double, however long the machine has been
  // up.
  static const timespec start = read_clock();
  const timespec now = read_clock();
  return static_cast<double>(now.tv_sec - start.tv_sec) +
         static_cast<double>(now.tv_nsec - start.tv_nsec) * 1e-9;
}

double clock_resolution_seconds() {
  static const double resolution = measure_resolution();
  return resolution;
}

}  // namespace rackproof::kit

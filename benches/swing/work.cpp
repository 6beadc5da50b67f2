#include "benches/swing/work.hpp"

#include <cstring>
#include <random>

#include "benches/kit/product/clones.hpp"

// Compiled with -ffp-contract=off, or results would differ between processors.
namespace rackproof::swing {
namespace {

constexpr double kBend = 1.9;

// As wide as the widest registers; compilers split it for narrower ones.
using Vector = double __attribute__((vector_size(64)));
constexpr std::size_t kWidth = sizeof(Vector) / sizeof(double);
constexpr std::size_t kVectors = kLanes / kWidth;

}  // namespace

Lanes first_lanes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr double kTwoTo53 = 9007199254740992.0;
  Lanes lanes{};
  for (double& lane : lanes) lane = static_cast<double>(random() >> 11U) / kTwoTo53;
  return lanes;
}

RACKPROOF_CLONES Lanes work(const Lanes& start) {
  Vector x[kVectors];
  std::memcpy(&x, start.data(), sizeof(x));
  for (int step = 0; step < kSteps; ++step) {
    for (Vector& one : x) one = 1.0 - kBend * (one * one);
  }
  Lanes end;
  std::memcpy(end.data(), &x, sizeof(x));
  return end;
}

Lanes reference(const Lanes& start) {
  Lanes end{};
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    double x = start[lane];
    for (int step = 0; step < kSteps; ++step) x = 1.0 - kBend * (x * x);
    end[lane] = x;
  }
  return end;
}

}  // namespace rackproof::swing

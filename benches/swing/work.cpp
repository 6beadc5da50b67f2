#include "benches/swing/work.hpp"

#include <cstring>
#include <random>

// Compiled with -ffp-contract=off, or results would differ between processors.
namespace rackproof::swing {
namespace {

constexpr double kBend = 1.9;

// Registers of 64, 32 and 16 bytes.
struct Widest {
  using Vector = double __attribute__((vector_size(64)));
};
struct Wide {
  using Vector = double __attribute__((vector_size(32)));
};
struct Narrow {
  using Vector = double __attribute__((vector_size(16)));
};

// Eight registers at a time: as many as are needed for three operations of four cycles each that
// wait for each other, two of which begin in a cycle, and half of what all processors have. A
// compiler splits registers that are wider than the processor's and moves the parts through memory,
// so each width is a function of its own.
template <class Width>
[[gnu::always_inline]] inline Lanes run(const Lanes& start) {
  using Vector = typename Width::Vector;
  Lanes end;
  constexpr std::size_t kVectors = 8;
  constexpr std::size_t kBlock = kVectors * sizeof(Vector) / sizeof(double);
  for (std::size_t block = 0; block < kLanes; block += kBlock) {
    Vector x[kVectors];
    std::memcpy(&x, start.data() + block, sizeof(x));
    for (int step = 0; step < kSteps; ++step) {
      for (Vector& one : x) one = 1.0 - kBend * (one * one);
    }
    std::memcpy(end.data() + block, &x, sizeof(x));
  }
  return end;
}

#ifdef __x86_64__
__attribute__((target("avx512f"))) Lanes run_widest(const Lanes& start) {
  return run<Widest>(start);
}
__attribute__((target("avx2"))) Lanes run_wide(const Lanes& start) { return run<Wide>(start); }
#endif
Lanes run_narrow(const Lanes& start) { return run<Narrow>(start); }

}  // namespace

Lanes first_lanes(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  constexpr double kTwoTo53 = 9007199254740992.0;
  Lanes lanes{};
  for (double& lane : lanes) lane = static_cast<double>(random() >> 11U) / kTwoTo53;
  return lanes;
}

std::vector<Work> works_of_processor() {
  std::vector<Work> works;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") != 0) works.push_back(run_widest);
  if (__builtin_cpu_supports("avx2") != 0) works.push_back(run_wide);
#endif
  works.push_back(run_narrow);
  return works;
}

Lanes work(const Lanes& start) {
  static const Work best = works_of_processor().front();
  return best(start);
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

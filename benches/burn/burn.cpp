#include "benches/burn/burn.hpp"

#include <fmt/format.h>

#include "benches/kit/errors.hpp"

namespace rackproof::burn {

std::int64_t result_slots(const Settings& settings, std::int64_t available) {
  const std::int64_t width = settings.dtype == "fp64" ? 8 : 4;
  const std::int64_t matrix = settings.size * settings.size * width;
  const auto budget =
      static_cast<std::int64_t>(settings.memory_fraction * static_cast<double>(available));
  constexpr std::int64_t kOthers = 3;  // A, B and the reference
  const std::int64_t slots = budget / matrix - kOthers;
  if (slots >= 1) return slots;
  throw kit::UsageError(fmt::format(
      "--size {} needs {:.3f} GiB for four matrices, and --memory-fraction {} of the {:.3f} GiB "
      "available is {:.3f}: choose a smaller size or a larger fraction",
      settings.size, 4 * static_cast<double>(matrix) / (1 << 30), settings.memory_fraction,
      static_cast<double>(available) / (1 << 30), static_cast<double>(budget) / (1 << 30)));
}

void Windows::multiplication_ended(double at) {
  ended_ = at;
  ++in_window_;
  if (ended_ - began_ >= window_) close();
}

void Windows::finish() {
  if (in_window_ > 0 && (rates_.empty() || ended_ - began_ >= window_ / 2)) close();
}

void Windows::close() {
  rates_.push_back(static_cast<double>(in_window_) * operations_ / (ended_ - began_));
  began_ = ended_;
  in_window_ = 0;
}

void declare(kit::Options& options, Settings& settings) {
  options.choice("dtype", settings.dtype, {"fp64", "fp32"}, "number type to multiply");
  options.number("seconds", settings.seconds, 0.001, 31'536'000, "how long to burn");
  options.number("window", settings.window, 0.001, 86400, "seconds of one sample of the rate");
  options.number("memory-fraction", settings.memory_fraction, 0.0001, 0.95,
                 "part of the available memory that the matrices take");
  options.integer("size", settings.size, 1, std::int64_t{1} << 17,
                  "rows and columns of the matrices");
  options.integer("threads", settings.threads, 0, 65536,
                  "threads of the BLAS library; 0: one per physical core allowed");
  options.integer("seed", settings.seed, 0, INT64_MAX,
                  "what the operands are drawn from; 0: new ones in each run");
}

}  // namespace rackproof::burn

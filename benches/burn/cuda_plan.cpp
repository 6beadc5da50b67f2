#include "benches/burn/cuda_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "benches/kit/errors.hpp"

namespace rackproof::burn {
namespace {

using product::Dtype;

constexpr std::int64_t kWorkspace = std::int64_t{64} << 20;

double gib(std::int64_t bytes) { return static_cast<double>(bytes) / (1 << 30); }

}  // namespace

std::int64_t depth_for(Dtype dtype) {
  switch (dtype) {
    case Dtype::kFp32:
      return 8192;
    case Dtype::kFp64:
      return 16384;
    case Dtype::kTf32:
    case Dtype::kBf16:
    case Dtype::kFp16:
      return 32768;
    case Dtype::kFp8:
    case Dtype::kMxfp8:
      return 65536;
    case Dtype::kNvfp4:
    case Dtype::kInt8:
      return 131072;
  }
  return 32768;
}

std::int64_t depth_of(const CudaSettings& settings, Dtype dtype) {
  return settings.depth > 0 ? settings.depth : depth_for(dtype);
}

double compare_share(Dtype dtype, std::int64_t depth, double operations_per_second,
                     double bytes_per_second) {
  const double comparing = product::numbers(dtype).result_bytes * operations_per_second;
  return comparing / (comparing + bytes_per_second * static_cast<double>(depth));
}

std::int64_t result_stride(const CudaSettings& settings, Dtype dtype) {
  constexpr std::int64_t kLine = 256;
  const std::int64_t bytes = settings.size * settings.size * product::numbers(dtype).result_bytes;
  return (bytes + kLine - 1) / kLine * kLine;
}

CudaMemory plan_memory(const CudaSettings& settings, const std::vector<Dtype>& dtypes,
                       std::int64_t free) {
  CudaMemory memory;
  std::int64_t largest = 0;
  for (const Dtype dtype : dtypes) {
    const std::int64_t depth = depth_of(settings, dtype);
    // A and B, both as timed and as exact; and a reference of each with and without places changed.
    memory.fixed +=
        4 * (product::operand_bytes(dtype, settings.size, depth) +
             product::scale_bytes(dtype, settings.size, depth) + result_stride(settings, dtype)) +
        kWorkspace;
    largest = std::max(largest, result_stride(settings, dtype));
  }
  const auto budget =
      static_cast<std::int64_t>(settings.memory_fraction * static_cast<double>(free));
  memory.pool = budget - memory.fixed;
  if (memory.pool >= largest) return memory;
  throw kit::UsageError(fmt::format(
      "--size {} needs {:.3f} GiB of the device's memory, and --memory-fraction {} of the {:.3f} "
      "GiB "
      "that are free is {:.3f}: choose a smaller size or depth, fewer types, or a larger fraction",
      settings.size, gib(memory.fixed + largest), settings.memory_fraction, gib(free),
      gib(budget)));
}

std::int64_t slots_of(const CudaSettings& settings, Dtype dtype, std::int64_t pool) {
  return std::max<std::int64_t>(1, pool / result_stride(settings, dtype));
}

Turn turn_of(std::int64_t index, std::int64_t slots) {
  return {index % slots, index / slots % 2 != 0};
}

std::int64_t count_for(double seconds, double seconds_of_one) {
  constexpr double kMost = 100'000;
  const double count = std::round(seconds / std::max(seconds_of_one, 1e-9));
  return static_cast<std::int64_t>(std::clamp(count, 1.0, kMost));
}

std::optional<std::int64_t> flip_place(double flip_at, double elapsed, std::int64_t count,
                                       double seconds_of_one) {
  if (flip_at < 0) return std::nullopt;
  if (flip_at <= elapsed) return 0;
  const double place = std::floor((flip_at - elapsed) / std::max(seconds_of_one, 1e-9));
  if (place >= static_cast<double>(count)) return std::nullopt;
  return static_cast<std::int64_t>(place);
}

double next_pulse(double now, double period) { return (std::floor(now / period) + 1) * period; }

double stretch_seconds(double seconds) { return std::max(5.0, seconds / 200); }

contract::Parameters cuda_parameters(const CudaSettings& settings, const std::string& dtype) {
  contract::Parameters all = {{"dtype", dtype}};
  if (settings.pattern != "normal") all["pattern"] = settings.pattern;
  if (settings.pulse_period > 0) {
    all["pulse_period"] = settings.pulse_period;
    all["pulse_duty"] = settings.pulse_duty;
  }
  return all;
}

std::string fault_name(const CudaSettings& settings) {
  return settings.flip < 0 ? "" : fmt::format("flip:{}", settings.flip);
}

void require_sense(const CudaSettings& settings) {
  if (settings.flip >= settings.seconds) {
    throw kit::UsageError(
        fmt::format("--flip {}: expected less than --seconds {}", settings.flip, settings.seconds));
  }
  if (settings.pulse_period > settings.window) {
    throw kit::UsageError(fmt::format("--pulse-period {}: expected no more than --window {}",
                                      settings.pulse_period, settings.window));
  }
  std::set<std::string> seen;
  for (const std::string& name : settings.dtypes) {
    if (!seen.insert(name).second) {
      throw kit::UsageError(fmt::format("--dtype {} is asked for twice", name));
    }
    const product::Numbers& type = product::numbers(product::dtype_of(name));
    const std::int64_t depth = depth_of(settings, type.dtype);
    if (settings.size % type.multiple == 0 && depth % type.multiple == 0) continue;
    throw kit::UsageError(
        fmt::format("{} needs --size and --depth to be multiples of {}, not {} and {}", name,
                    type.multiple, settings.size, depth));
  }
  if (seen.empty()) throw kit::UsageError("--dtype: expected at least one number type");
}

void declare_cuda(kit::Options& options, CudaSettings& settings) {
  options.choices("dtype", settings.dtypes, product::dtype_names(),
                  "number types to multiply, a window of each by turns; what the device lacks is "
                  "passed over with a note, and is exit code 3 when nothing else was asked for");
  options.number("seconds", settings.seconds, 0.001, 31'536'000, "how long to burn");
  options.number("window", settings.window, 0.001, 86400, "seconds of one sample of the rate");
  options.number("memory-fraction", settings.memory_fraction, 0.0001, 0.99,
                 "part of the device's free memory that the matrices take");
  options.integer("size", settings.size, 1, std::int64_t{1} << 17,
                  "rows and columns of the result matrices");
  options.integer("depth", settings.depth, 0, std::int64_t{1} << 20,
                  "terms of each sum; 0: as many as make comparing cost about 1 %");
  options.number(
      "pulse-period", settings.pulse_period, 0, 3600,
      "seconds of a pulse of load, in step with the clock of the host; 0: a steady load");
  options.number("pulse-duty", settings.pulse_duty, 0.01, 0.99, "part of a pulse that is loaded");
  options.number("flip", settings.flip, -1, 31'536'000,
                 "test only: after so many seconds one bit of a result is made wrong; -1: never");
  options.choice("pattern", settings.pattern, product::pattern_names(),
                 "data of the burning products; all but normal take less power and are marked");
  options.integer("candidates", settings.candidates, 1, 256,
                  "algorithms of the library's heuristic to try; 1 takes its first");
  options.number("search-seconds", settings.search_seconds, 0, 3600,
                 "about how long to look for the fastest algorithm of each dtype");
  options.integer(
      "seed", settings.seed, 0, INT64_MAX,
      "what the operands are drawn from; 0: new ones in each run, and no digest to vote "
      "on");
}

}  // namespace rackproof::burn

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/kit/product/numbers.hpp"
#include "benches/kit/product/pattern.hpp"
#include "benches/protocol/record.hpp"

/// What burn-cuda decides without a device.
namespace rackproof::burn {

struct CudaSettings {
  std::string device;
  std::vector<std::string> dtypes{"bf16", "fp8_e4m3", "fp64"};
  double seconds = 60;
  double window = 1;             ///< seconds of one sample; dtypes change with each
  double memory_fraction = 0.9;  ///< of the free memory, for everything together
  std::int64_t size = 8192;      ///< rows and columns of a result
  std::int64_t depth = 0;        ///< terms of each sum; 0: depth_for() of the type
  double pulse_period = 0;       ///< seconds; 0: steady
  double pulse_duty = 0.5;       ///< part of a period that is loaded
  double flip = -1;              ///< seconds after which one bit is made wrong; negative: never
  std::string pattern = "normal";
  std::int64_t candidates = 16;
  double search_seconds = 2;  ///< of looking for the fastest algorithm, for each dtype
  std::int64_t seed = 0;      ///< 0: a new one
};

/// So deep that comparing a result costs about 1 % of computing it. Comparing reads 2 n^2 w bytes
/// (the result and the reference) where computing takes 2 n^2 k operations, so that its share is w
/// R / (B k), whatever n: with R operations and B bytes a second of the device, w bytes an element.
std::int64_t depth_for(product::Dtype dtype);

/// The depth that is used: the one asked for, or depth_for().
std::int64_t depth_of(const CudaSettings& settings, product::Dtype dtype);

/// The share of comparing in the whole, from the formula above.
double compare_share(product::Dtype dtype, std::int64_t depth, double operations_per_second,
                     double bytes_per_second);

/// Memory of the device, in bytes.
struct CudaMemory {
  std::int64_t fixed = 0;  ///< operands, references and workspaces of all dtypes
  std::int64_t pool = 0;   ///< for result matrices, shared by the dtypes
};

/// What `memory_fraction` of `free` bytes is used for. Throws UsageError when no result of the
/// largest type fits, and says what is free.
CudaMemory plan_memory(const CudaSettings& settings, const std::vector<product::Dtype>& dtypes,
                       std::int64_t free);

/// Bytes from one result matrix in the pool to the next: whole lines of 256, which is how the
/// library takes its operands to be aligned.
std::int64_t result_stride(const CudaSettings& settings, product::Dtype dtype);

/// Result matrices of a type that the pool holds: 1 at least.
std::int64_t slots_of(const CudaSettings& settings, product::Dtype dtype, std::int64_t pool);

/// Which operands multiplication `index` of a type takes, and where its result goes. Operands
/// change places with each pass over the slots, which transposes the result: a slot that nobody
/// wrote again still holds the result of the pass before, and nearly every element of it is wrong.
struct Turn {
  std::int64_t slot = 0;
  bool swapped = false;
};
Turn turn_of(std::int64_t index, std::int64_t slots);

/// How many products fill `seconds`, of `seconds_of_one` each: 1 at least, and no more than
/// 100,000.
std::int64_t count_for(double seconds, double seconds_of_one);

/// Which of `count` products, begun at `elapsed` seconds of the burn and about `seconds_of_one`
/// each, the wrong bit goes into; nothing when its time comes after them.
std::optional<std::int64_t> flip_place(double flip_at, double elapsed, std::int64_t count,
                                       double seconds_of_one);

/// The next time at which a pulse begins, from `now`, both in seconds since the epoch: whole
/// multiples of the period, so that devices whose clocks agree pulse together.
double next_pulse(double now, double period);

/// Seconds over which state and power are summed up: 5, or a two-hundredth of the burn.
double stretch_seconds(double seconds);

/// {"dtype"} as burn-host has it; and "pattern", "pulse_period" and "pulse_duty" where they are not
/// the default, so that nothing is compared that should not be.
contract::Parameters cuda_parameters(const CudaSettings& settings, const std::string& dtype);

/// How `hello` names the fault of --flip; empty without.
std::string fault_name(const CudaSettings& settings);

/// What the options alone make impossible. Throws UsageError.
void require_sense(const CudaSettings& settings);

void declare_cuda(kit::Options& options, CudaSettings& settings);

}  // namespace rackproof::burn

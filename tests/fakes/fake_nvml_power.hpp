#pragma once

#include "tests/fakes/nvml_host.hpp"

namespace rackproof::fakes {

/// What a GPU whose power follows its load has come to. A GPU is one where its state has
/// `busy_watts`: it draws that while the device of its UUID is at work
/// (tests/support/cuda_host/busy.hpp), and `idle_watts` otherwise. With `smooths` its power does
/// not fall under `smoothing_floor_watts` within `smoothing_hysteresis_ms` after the load, and
/// rises and falls by at most `smoothing_rise_milliwatts` and `smoothing_fall_milliwatts` a second.
/// With `brake_devices` N it brakes while N devices of all hosts are at work together.
struct FollowedPower {
  double watts = 0;
  double joules = 0;
  double brake_ns = 0;
  bool brakes = false;  ///< now
};

bool follows_load(const NvmlGpu& gpu);
/// Its power now. Wants to be asked every few milliseconds.
FollowedPower followed_power(const NvmlGpu& gpu);

}  // namespace rackproof::fakes

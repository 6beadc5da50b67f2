#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

/// A CUDA runtime for tests without a GPU, in place of the real one: devices are parts of the
/// host's memory, streams keep the order of what is queued and wait for each other's events, and
/// time is counted, not measured. It is strict: work on a stream whose device is not the current
/// one, an event of another device, a kernel that reads memory its device has no access to, and a
/// copy while a kernel holds another stream are errors.
namespace rackproof::fake_cuda {

inline constexpr int kHost = -1;

struct Machine {
  int devices = 1;
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of each device
  std::vector<std::vector<bool>> reach;       ///< [a][b]: a can use memory of b
  double host_to_device = 50e9;               ///< B/s
  double device_to_host = 40e9;
  double local = 1000e9;
  double peer = 400e9;
  double step = 1e-6;  ///< seconds of a step of a walk

  /// Called for each large copy that `driver` makes, before it is made, with its number among all
  /// from `from` to `to`; false: nothing is copied.
  std::function<bool(int driver, int from, int to, std::int64_t number)> copies;
  /// Called after it, with what arrived.
  std::function<void(int from, int to, std::byte* data, std::size_t bytes)> arrived;
  /// Kernels that hold a stream give up at once.
  bool impatient = false;
};

/// Makes `machine` the one that the calls below see, as new.
void start(const Machine& machine);

/// What was done wrong that a real device would punish by an error; empty for nothing.
const std::string& fault();

/// Memory that was not given back.
std::size_t leaked();

}  // namespace rackproof::fake_cuda

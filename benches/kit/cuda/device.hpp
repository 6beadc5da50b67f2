#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/kit/session.hpp"

namespace rackproof::kit::cuda {

/// What the driver says of one device.
struct Device {
  int index = 0;     ///< as this process counts them
  std::string uuid;  ///< "GPU-..." or "MIG-..."
  std::string name;  ///< "NVIDIA H200"
  std::string pci;   ///< "0000:18:00.0"
  int major = 0;     ///< compute capability
  int minor = 0;
  int multiprocessors = 0;
  std::int64_t memory_bytes = 0;
  std::int64_t l2_bytes = 0;
  std::int64_t shared_bytes_per_block = 0;  ///< the most that one block can ask for
  int memory_bus_bits = 0;
  double memory_clock_hz = 0;  ///< 0 when the driver does not tell
  double clock_hz = 0;
  bool ecc = false;
  int numa_node = -1;  ///< -1 when the driver does not tell

  /// Bytes per second: clock x bus width x 2 (two transfers a clock); 0 when one is unknown.
  double memory_peak() const;
};

/// Adds --device: an index, "GPU-..." or "MIG-..."; empty takes the first.
void declare_device(Options& options, std::string& wanted);

/// All devices of this process, with CUDA_VISIBLE_DEVICES as it is. Throws Unavailable when there
/// is no driver, an older driver than the runtime needs, or no device; DeviceError when the driver
/// is there and in trouble.
std::vector<Device> devices();

/// Makes the device that --device names the current one of this process. A UUID goes into
/// CUDA_VISIBLE_DEVICES before the driver starts, where nobody has set that, so that a sick
/// neighbour is not touched; and the driver is asked for the UUID of what it shows. Throws
/// UsageError for an index out of range or a UUID that is not here, and as devices() does.
Device select(const std::string& wanted);

/// True once select() has found its device: the driver runs, and has read its environment.
bool is_selected();

/// Bytes that are free on the current device now.
std::int64_t free_bytes();

/// Its `device` record: name, UUID and everything above.
protocol::Device to_record(const Device& device);

/// Versions of driver and runtime, for `hello`: {"cuda-driver", "cuda-runtime"}. Does not start
/// the driver.
std::map<std::string, std::string> libraries();

/// "13.0" for 13000.
std::string version_text(int number);

/// What a code of cudaGetDeviceCount means when it means that there is no device for us, given
/// whether libcuda.so.1 can be loaded; empty for every other code.
std::string no_device_reason(int code, bool driver_found, int driver_version, int runtime_version);

}  // namespace rackproof::kit::cuda

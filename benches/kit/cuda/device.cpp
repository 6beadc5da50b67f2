#include "benches/kit/cuda/device.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/driver.hpp"
#include "benches/kit/errors.hpp"

namespace rackproof::kit::cuda {
namespace {

constexpr const char* kVisible = "CUDA_VISIBLE_DEVICES";
bool selected = false;

int device_count() {
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (code == cudaSuccess) {
    if (count == 0) throw Unavailable("no CUDA device");
    return count;
  }
  int runtime = 0;
  (void)cudaRuntimeGetVersion(&runtime);
  const std::string reason =
      no_device_reason(code, driver_is_here(), driver_version().value_or(0), runtime);
  if (!reason.empty()) throw Unavailable(reason);
  RACKPROOF_CUDA(code);
  return 0;
}

int attribute(cudaDeviceAttr which, int device, int unknown = 0) {
  int value = unknown;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : unknown;
}

std::string pci_text(int index) {
  std::array<char, 32> text{};
  if (cudaDeviceGetPCIBusId(text.data(), static_cast<int>(text.size()), index) != cudaSuccess) {
    return "";
  }
  std::string lower = text.data();
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

Device describe(int index) {
  cudaDeviceProp properties{};
  RACKPROOF_CUDA(cudaGetDeviceProperties(&properties, index));
  Device device;
  device.index = index;
  device.name = properties.name;
  UuidBytes board{};
  std::memcpy(board.data(), properties.uuid.bytes, board.size());
  device.uuid = uuid_of(index).value_or(uuid_text(board, board));
  device.pci = pci_text(index);
  device.major = properties.major;
  device.minor = properties.minor;
  device.multiprocessors = properties.multiProcessorCount;
  device.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  device.l2_bytes = properties.l2CacheSize;
  device.shared_bytes_per_block = static_cast<std::int64_t>(properties.sharedMemPerBlockOptin);
  device.memory_bus_bits = properties.memoryBusWidth;
  device.memory_clock_hz = 1e3 * attribute(cudaDevAttrMemoryClockRate, index);
  device.clock_hz = 1e3 * attribute(cudaDevAttrClockRate, index);
  device.ecc = properties.ECCEnabled != 0;
  device.numa_node = attribute(cudaDevAttrHostNumaId, index, -1);
  return device;
}

bool names_uuid(const std::string& wanted) {
  return wanted.starts_with("GPU-") || wanted.starts_with("MIG-");
}

// What may have kept the device from this process.
std::string visible_text() {
  const char* const visible = std::getenv(kVisible);
  return visible == nullptr ? "" : fmt::format(" ({}={})", kVisible, visible);
}

// The place among the devices of this process of the one that has this UUID by the driver's word.
int index_of(const std::string& wanted, int count) {
  std::string others;
  for (int i = 0; i < count; ++i) {
    const std::string uuid = describe(i).uuid;
    if (uuid == wanted) return i;
    others += (i == 0 ? "" : ", ") + uuid;
  }
  throw UsageError(fmt::format("--device {}: no such device here: the driver shows {}{}", wanted,
                               others, visible_text()));
}

}  // namespace

double Device::memory_peak() const { return 2 * memory_clock_hz * memory_bus_bits / 8; }

void declare_device(Options& options, std::string& wanted) {
  options.text("device", wanted,
               "which GPU: an index, GPU-<uuid> or MIG-<uuid>; the first one when left out");
}

std::string version_text(int number) {
  return fmt::format("{}.{}", number / 1000, number % 1000 / 10);
}

std::string no_device_reason(int code, bool driver_found, int driver_version, int runtime_version) {
  switch (code) {
    case cudaErrorInsufficientDriver:
      if (!driver_found) return "no CUDA driver: libcuda.so.1 not found";
      return fmt::format("the CUDA driver is too old: it knows CUDA {}, this program needs {}",
                         version_text(driver_version), version_text(runtime_version));
    case cudaErrorStubLibrary:
      return "no CUDA driver: libcuda.so.1 is the toolkit's stub";
    case cudaErrorNoDevice:
      return "no CUDA device: the driver is loaded and finds none";
    default:
      return "";
  }
}

std::vector<Device> devices() {
  const int count = device_count();
  std::vector<Device> found;
  for (int i = 0; i < count; ++i) found.push_back(describe(i));
  return found;
}

Device select(const std::string& wanted) {
  if (names_uuid(wanted) && std::getenv(kVisible) == nullptr) {
    // The driver reads it when it starts, which nothing before has made it do; only this process
    // does, and it has no second thread yet.
    (void)setenv(kVisible, wanted.c_str(), 1);
  }
  int count = 0;
  const cudaError_t code = cudaGetDeviceCount(&count);
  if (names_uuid(wanted) && (code == cudaErrorNoDevice || (code == cudaSuccess && count == 0))) {
    throw UsageError(fmt::format("--device {}: no such device here{}", wanted, visible_text()));
  }
  count = device_count();
  int index = 0;
  if (names_uuid(wanted)) {
    index = index_of(wanted, count);
  } else if (!wanted.empty()) {
    const char* const end = wanted.data() + wanted.size();
    const auto [stop, error] = std::from_chars(wanted.data(), end, index);
    if (error != std::errc() || stop != end || index < 0 || index >= count) {
      throw UsageError(
          fmt::format("--device '{}': expected an index from 0 to {}, GPU-<uuid> or MIG-<uuid>{}",
                      wanted, count - 1, visible_text()));
    }
  }
  RACKPROOF_CUDA(cudaSetDevice(index));
  selected = true;
  return describe(index);
}

bool is_selected() { return selected; }

std::int64_t free_bytes() {
  std::size_t free = 0;
  std::size_t total = 0;
  RACKPROOF_CUDA(cudaMemGetInfo(&free, &total));
  return static_cast<std::int64_t>(free);
}

protocol::Device to_record(const Device& device) {
  protocol::Device record;
  record.id = device.uuid;
  record.name = device.name;
  record.facts = {
      {"index", std::int64_t{device.index}},
      {"pci", device.pci},
      {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
      {"multiprocessors", std::int64_t{device.multiprocessors}},
      {"memory_bytes", device.memory_bytes},
      {"l2_bytes", device.l2_bytes},
      {"memory_bus_bits", std::int64_t{device.memory_bus_bits}},
      {"memory_clock_hz", device.memory_clock_hz},
      {"clock_hz", device.clock_hz},
      {"memory_peak_bytes_per_second", device.memory_peak()},
      {"ecc", device.ecc},
  };
  return record;
}

std::map<std::string, std::string> libraries() {
  const std::optional<int> driver = driver_version();
  int runtime = 0;
  (void)cudaRuntimeGetVersion(&runtime);
  return {{"cuda-driver", driver ? version_text(*driver) : "none"},
          {"cuda-runtime", version_text(runtime)}};
}

}  // namespace rackproof::kit::cuda

// A libnvidia-ml.so.1 that plays a machine (see nvml_host.hpp for where it is written). Only what
// the inventory asks for is here, with the layouts of the real library.
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <string>
#include <thread>

#include "tests/fakes/fake_nvml.hpp"

namespace {

using namespace rackproof::fakes;

constexpr int kUnknownError = 999;
constexpr unsigned kMostInstances = 7;
constexpr unsigned char kFabricNotSupported = 0;
constexpr unsigned char kFabricCompleted = 3;

struct Handle {
  const NvmlGpu* gpu = nullptr;
  int instance = -1;
};

NvmlHost host;
std::deque<Handle> handles;
int users = 0;  // as the real library counts them: handles live until the last one leaves

struct FabricInfo {
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique;
  unsigned char state;
};

struct FabricInfo2 {
  unsigned version;
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health;
};

int code_of(const std::map<std::string, int>& errors, const char* function) {
  const auto found = errors.find(function);
  return found == errors.end() ? kNvmlSuccess : found->second;
}

// Every function passes here: it waits as long as it is told to and fails where it is told to.
int enter(const char* function, void* handle = nullptr) {
  if (const auto delay = host.delays_ms.find(function); delay != host.delays_ms.end()) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(delay->second));
  }
  if (const int code = code_of(host.errors, function); code != kNvmlSuccess) return code;
  if (handle == nullptr) return kNvmlSuccess;
  return code_of(static_cast<Handle*>(handle)->gpu->errors, function);
}

const NvmlGpu& gpu_of(void* handle) { return *static_cast<Handle*>(handle)->gpu; }

int give_text(const std::string& text, char* to, unsigned size) {
  if (text.size() >= size) return kNvmlInvalidArgument;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kNvmlSuccess;
}

// The value of a function of one device, unless it was told to fail.
template <class Value, class Raw>
int give(const char* function, void* handle, const std::optional<Value> NvmlGpu::*member, Raw* to) {
  if (const int code = enter(function, handle); code != kNvmlSuccess) return code;
  const std::optional<Value>& value = gpu_of(handle).*member;
  if (!value) return kNvmlNotSupported;
  *to = static_cast<Raw>(*value);
  return kNvmlSuccess;
}

template <class Info>
void tell_fabric(const NvmlGpu& gpu, Info& info) {
  info.status = kNvmlSuccess;
  info.clique = gpu.clique;
  info.state = gpu.cluster ? kFabricCompleted : kFabricNotSupported;
  if (gpu.cluster) std::memcpy(info.cluster_uuid, gpu.cluster->data(), gpu.cluster->size());
}

}  // namespace

namespace rackproof::fakes {

const NvmlGpu& gpu_behind(void* handle) { return gpu_of(handle); }
int enter_nvml(const char* function, void* handle) { return enter(function, handle); }

}  // namespace rackproof::fakes

// NOLINTBEGIN(readability-identifier-naming): the names are those of NVML.
extern "C" {

int nvmlInit_v2() {
  if (users > 0) {
    ++users;
    return enter("nvmlInit_v2");
  }
  try {
    host = read_nvml_host();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fake NVML: %s\n", error.what());
    return kUnknownError;
  }
  const int code = enter("nvmlInit_v2");
  if (code == kNvmlSuccess) users = 1;
  return code;
}

int nvmlShutdown() {
  if (users > 0 && --users == 0) handles.clear();
  return kNvmlSuccess;
}

const char* nvmlErrorString(int code) {
  if (code == 15) return "GPU is lost";
  if (code == 17) return "Operating system call failed";
  return code == 9 ? "Driver Not Loaded" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  const int code = enter("nvmlSystemGetDriverVersion");
  return code != kNvmlSuccess ? code : give_text(host.driver, text, size);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = host.cuda;
  return enter("nvmlSystemGetCudaDriverVersion_v2");
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(host.gpus.size());
  return enter("nvmlDeviceGetCount_v2");
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  if (const int code = enter("nvmlDeviceGetHandleByIndex_v2"); code != kNvmlSuccess) return code;
  if (index >= host.gpus.size()) return kNvmlInvalidArgument;
  if (host.gpus[index].lost != 0) return host.gpus[index].lost;
  *handle = &handles.emplace_back(Handle{&host.gpus[index], -1});
  return kNvmlSuccess;
}

int nvmlDeviceGetHandleByUUID(const char* uuid, void** handle) {
  if (const int code = enter("nvmlDeviceGetHandleByUUID"); code != kNvmlSuccess) return code;
  for (const NvmlGpu& gpu : host.gpus) {
    if (gpu.uuid != uuid) continue;
    if (gpu.lost != 0) return gpu.lost;
    *handle = &handles.emplace_back(Handle{&gpu, -1});
    return kNvmlSuccess;
  }
  return kNvmlNotFound;
}

int nvmlDeviceGetMigMode(void* handle, int* now, int* pending) {
  *now = *pending = gpu_of(handle).instances ? 1 : 0;
  return enter("nvmlDeviceGetMigMode", handle);
}

int nvmlDeviceGetMaxMigDeviceCount(void* handle, unsigned* count) {
  *count = kMostInstances;
  return enter("nvmlDeviceGetMaxMigDeviceCount", handle);
}

int nvmlDeviceGetMigDeviceHandleByIndex(void* handle, unsigned at, void** instance) {
  const NvmlGpu& gpu = gpu_of(handle);
  if (static_cast<int>(at) >= gpu.instances.value_or(0)) return kNvmlNotFound;
  *instance = &handles.emplace_back(Handle{&gpu, static_cast<int>(at)});
  return enter("nvmlDeviceGetMigDeviceHandleByIndex", handle);
}

int nvmlDeviceGetUUID(void* handle, char* text, unsigned size) {
  if (const int code = enter("nvmlDeviceGetUUID", handle); code != kNvmlSuccess) return code;
  const auto* device = static_cast<Handle*>(handle);
  const std::string& uuid = device->gpu->uuid;
  if (device->instance < 0) return give_text(uuid, text, size);
  const std::string tail = uuid.starts_with("GPU-") ? uuid.substr(4) : uuid;
  return give_text("MIG-" + tail + "-" + std::to_string(device->instance), text, size);
}

int nvmlDeviceGetName(void* handle, char* text, unsigned size) {
  if (const int code = enter("nvmlDeviceGetName", handle); code != kNvmlSuccess) return code;
  const bool instance = static_cast<Handle*>(handle)->instance >= 0;
  return give_text(gpu_of(handle).name + (instance ? " MIG 1g.18gb" : ""), text, size);
}

int nvmlDeviceGetPciInfo_v3(void* handle, PciInfo* info) {
  std::memset(info, 0, sizeof *info);
  info->pci_device_id = gpu_of(handle).pci_id;
  std::snprintf(info->bus_id, sizeof info->bus_id, "%s", gpu_of(handle).bus_id.c_str());
  return enter("nvmlDeviceGetPciInfo_v3", handle);
}

int nvmlDeviceGetCudaComputeCapability(void* handle, int* major, int* minor) {
  if (static_cast<Handle*>(handle)->instance >= 0) return kNvmlNotFound;
  *major = gpu_of(handle).major;
  *minor = gpu_of(handle).minor;
  return enter("nvmlDeviceGetCudaComputeCapability", handle);
}

int nvmlDeviceGetVbiosVersion(void* handle, char* text, unsigned size) {
  if (const int code = enter("nvmlDeviceGetVbiosVersion", handle); code != kNvmlSuccess)
    return code;
  const auto& vbios = gpu_of(handle).vbios;
  return vbios ? give_text(*vbios, text, size) : kNvmlNotSupported;
}

int nvmlDeviceGetMemoryInfo(void* handle, unsigned long long* memory) {
  memory[1] = memory[2] = 0;
  return give("nvmlDeviceGetMemoryInfo", handle, &NvmlGpu::memory_bytes, memory);
}

int nvmlDeviceGetMemoryBusWidth(void* handle, unsigned* bits) {
  return give("nvmlDeviceGetMemoryBusWidth", handle, &NvmlGpu::memory_bus_bits, bits);
}

int nvmlDeviceGetMaxClockInfo(void* handle, int type, unsigned* megahertz) {
  return give("nvmlDeviceGetMaxClockInfo", handle,
              type == 2 ? &NvmlGpu::memory_clock_mhz : &NvmlGpu::sm_clock_mhz, megahertz);
}

int nvmlDeviceGetNumGpuCores(void* handle, unsigned* cores) {
  return give("nvmlDeviceGetNumGpuCores", handle, &NvmlGpu::cores, cores);
}

int nvmlDeviceGetMaxPcieLinkGeneration(void* handle, unsigned* generation) {
  return give("nvmlDeviceGetMaxPcieLinkGeneration", handle, &NvmlGpu::pcie_generation, generation);
}

int nvmlDeviceGetMaxPcieLinkWidth(void* handle, unsigned* width) {
  return give("nvmlDeviceGetMaxPcieLinkWidth", handle, &NvmlGpu::pcie_width, width);
}

int nvmlDeviceGetEnforcedPowerLimit(void* handle, unsigned* milliwatts) {
  return give("nvmlDeviceGetEnforcedPowerLimit", handle, &NvmlGpu::power_limit_milliwatts,
              milliwatts);
}

int nvmlDeviceGetEccMode(void* handle, int* now, int* pending) {
  const int code = give("nvmlDeviceGetEccMode", handle, &NvmlGpu::ecc, now);
  if (code != kNvmlSuccess) return code;
  const auto found = gpu_of(handle).numbers.find("ecc_pending");
  *pending = found == gpu_of(handle).numbers.end() ? *now : static_cast<int>(found->second);
  return code;
}

int nvmlDeviceGetPersistenceMode(void* handle, int* mode) {
  return give("nvmlDeviceGetPersistenceMode", handle, &NvmlGpu::persistence, mode);
}

int nvmlDeviceGetGpuFabricInfo(void* handle, FabricInfo* info) {
  std::memset(info, 0, sizeof *info);
  tell_fabric(gpu_of(handle), *info);
  return enter("nvmlDeviceGetGpuFabricInfo", handle);
}

int nvmlDeviceGetGpuFabricInfoV(void* handle, FabricInfo2* info) {
  constexpr unsigned kVersion2 = static_cast<unsigned>(sizeof(FabricInfo2)) | (2U << 24U);
  if (info->version != kVersion2) return kNvmlVersionMismatch;
  tell_fabric(gpu_of(handle), *info);
  return enter("nvmlDeviceGetGpuFabricInfoV", handle);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

#include "harness/inventory/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <iterator>

namespace rackproof::inventory {
namespace {

// The part of NVML's binary interface that is used. It has no header here; names, numbers and
// layouts are those that NVIDIA keeps stable from driver to driver (NVML API reference). A function
// gives 0 for success.
using Handle = void*;
constexpr int kSuccess = 0;
constexpr int kClockSm = 1;
constexpr int kClockMemory = 2;
constexpr std::int64_t kHertzPerMegahertz = 1'000'000;
constexpr unsigned kMostDevices = 1024;

struct PciInfo {  // nvmlPciInfo_t
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_sub_system_id;
  char bus_id[32];
};

struct Memory {  // nvmlMemory_t
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

// nvmlGpuFabricInfo_t, for drivers that lack the versioned form below.
struct FabricInfo {
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique;
  unsigned char state;
};

// nvmlGpuFabricInfo_v2_t: since R550, with its own size and version in the first word. Later forms
// add health at the end and keep this one.
struct FabricInfo2 {
  unsigned version;
  unsigned char cluster_uuid[16];
  int status;
  unsigned clique;
  unsigned char state;
  unsigned health;
};
constexpr unsigned kFabricVersion2 = static_cast<unsigned>(sizeof(FabricInfo2)) | (2U << 24U);
constexpr unsigned char kFabricCompleted = 3;

class Library {
 public:
  explicit Library(const std::string& file) : handle_(dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL)) {
    if (handle_ == nullptr) {
      const char* const why = dlerror();
      problem_ = why == nullptr ? file + ": cannot be loaded" : why;
      return;
    }
    const auto init = find<int (*)()>("nvmlInit_v2");
    if (init == nullptr) {
      problem_ = file + ": it has no function nvmlInit_v2";
      return;
    }
    const int code = init();
    started_ = code == kSuccess;
    if (!started_) problem_ = "nvmlInit_v2: " + error_text(code);
  }
  ~Library() {
    const auto shutdown = find<int (*)()>("nvmlShutdown");
    if (started_ && shutdown != nullptr) shutdown();
    if (handle_ != nullptr) dlclose(handle_);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;

  const std::string& problem() const { return problem_; }

  /// The function, or null: drivers of different age have different ones.
  template <class Function>
  Function find(const char* name) const {
    return handle_ == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(handle_, name));
  }

  std::string error_text(int code) const {
    const auto words = find<const char* (*)(int)>("nvmlErrorString");
    const char* const text = words == nullptr ? nullptr : words(code);
    return text == nullptr ? "error " + std::to_string(code) : text;
  }

  template <class Raw, class... Words>
  std::optional<Raw> ask(const char* name, Words... words) const {
    const auto function = find<int (*)(Words..., Raw*)>(name);
    Raw value{};
    if (function == nullptr || function(words..., &value) != kSuccess) return std::nullopt;
    return value;
  }

  template <class... Words>
  std::optional<std::string> text(const char* name, Words... words) const {
    std::array<char, 128> buffer{};
    const auto function = find<int (*)(Words..., char*, unsigned)>(name);
    if (function == nullptr ||
        function(words..., buffer.data(), static_cast<unsigned>(buffer.size() - 1)) != kSuccess) {
      return std::nullopt;
    }
    return std::string(buffer.data());
  }

 private:
  void* handle_ = nullptr;
  bool started_ = false;
  std::string problem_;
};

std::optional<std::int64_t> whole(std::optional<unsigned> value, std::int64_t unit = 1) {
  if (!value) return std::nullopt;
  return *value * unit;
}

std::optional<bool> switched_on(std::optional<int> value) {
  if (!value) return std::nullopt;
  return *value != 0;
}

std::optional<std::string> version(std::optional<int> number) {
  if (!number || *number < 0) return std::nullopt;
  return std::to_string(*number / 1000) + "." + std::to_string(*number % 1000 / 10);
}

// Address and id of a GPU: a MIG instance has none of its own.
void read_pci(const Library& nvml, Handle handle, NvmlDevice& device) {
  const auto info = nvml.ask<PciInfo>("nvmlDeviceGetPciInfo_v3", handle);
  if (!info) return;
  device.pci = bus_form(std::string(info->bus_id, strnlen(info->bus_id, sizeof info->bus_id)));
  if (info->pci_device_id == 0) return;
  // The device in the upper half, the vendor in the lower.
  device.pci_id =
      fmt::format("{:04x}:{:04x}", info->pci_device_id & 0xffffU, info->pci_device_id >> 16U);
}

// A GPU that has not joined, or one in a machine that is a domain of its own, has no UUID there.
template <class Info>
std::optional<std::string> domain_in(const Info& info) {
  const auto& uuid = info.cluster_uuid;
  if (info.state != kFabricCompleted || info.status != kSuccess ||
      std::all_of(std::begin(uuid), std::end(uuid), [](unsigned char byte) { return byte == 0; })) {
    return std::nullopt;
  }
  std::string text;
  for (std::size_t i = 0; i < std::size(uuid); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", uuid[i]);
  }
  return fmt::format("{}.{}", text, info.clique);
}

std::optional<std::string> domain_of(const Library& nvml, Handle handle) {
  const auto versioned = nvml.find<int (*)(Handle, FabricInfo2*)>("nvmlDeviceGetGpuFabricInfoV");
  FabricInfo2 info{};
  info.version = kFabricVersion2;
  if (versioned != nullptr && versioned(handle, &info) == kSuccess) return domain_in(info);
  const auto older = nvml.ask<FabricInfo>("nvmlDeviceGetGpuFabricInfo", handle);
  return older ? domain_in(*older) : std::nullopt;
}

std::optional<std::string> capability_of(const Library& nvml, Handle handle) {
  const auto function =
      nvml.find<int (*)(Handle, int*, int*)>("nvmlDeviceGetCudaComputeCapability");
  int major = 0;
  int minor = 0;
  if (function == nullptr || function(handle, &major, &minor) != kSuccess || major < 0 ||
      minor < 0) {
    return std::nullopt;
  }
  return std::to_string(major) + "." + std::to_string(minor);
}

// The first of two modes that a function gives: the one in force now.
std::optional<int> mode_now(const Library& nvml, const char* name, Handle handle) {
  const auto function = nvml.find<int (*)(Handle, int*, int*)>(name);
  int now = 0;
  int pending = 0;
  if (function == nullptr || function(handle, &now, &pending) != kSuccess) return std::nullopt;
  return now;
}

// What a whole GPU and its MIG instances have in common, and what only one of them has: functions
// that do not apply give an error, and the fact is missing.
NvmlDevice describe(const Library& nvml, Handle handle) {
  NvmlDevice device;
  device.uuid = nvml.text("nvmlDeviceGetUUID", handle).value_or("");
  device.name = nvml.text("nvmlDeviceGetName", handle).value_or("");
  device.compute_capability = capability_of(nvml, handle);
  device.vbios = nvml.text("nvmlDeviceGetVbiosVersion", handle);
  // What no whole number of ours can hold is no size of a memory either.
  if (const auto memory = nvml.ask<Memory>("nvmlDeviceGetMemoryInfo", handle);
      memory && memory->total <= static_cast<unsigned long long>(INT64_MAX)) {
    device.memory_bytes = static_cast<std::int64_t>(memory->total);
  }
  device.memory_bus_bits = whole(nvml.ask<unsigned>("nvmlDeviceGetMemoryBusWidth", handle));
  device.memory_clock_hertz = whole(
      nvml.ask<unsigned>("nvmlDeviceGetMaxClockInfo", handle, kClockMemory), kHertzPerMegahertz);
  device.sm_clock_hertz =
      whole(nvml.ask<unsigned>("nvmlDeviceGetMaxClockInfo", handle, kClockSm), kHertzPerMegahertz);
  device.cores = whole(nvml.ask<unsigned>("nvmlDeviceGetNumGpuCores", handle));
  device.pcie_generation = whole(nvml.ask<unsigned>("nvmlDeviceGetMaxPcieLinkGeneration", handle));
  device.pcie_width = whole(nvml.ask<unsigned>("nvmlDeviceGetMaxPcieLinkWidth", handle));
  if (const auto limit = nvml.ask<unsigned>("nvmlDeviceGetEnforcedPowerLimit", handle)) {
    device.power_limit_watts = *limit * 1e-3;
  }
  device.ecc = switched_on(mode_now(nvml, "nvmlDeviceGetEccMode", handle));
  device.persistence = switched_on(nvml.ask<int>("nvmlDeviceGetPersistenceMode", handle));
  return device;
}

std::vector<NvmlDevice> instances_of(const Library& nvml, Handle gpu, const NvmlDevice& whole_gpu) {
  const auto at =
      nvml.find<int (*)(Handle, unsigned, Handle*)>("nvmlDeviceGetMigDeviceHandleByIndex");
  const unsigned most =
      std::min(nvml.ask<unsigned>("nvmlDeviceGetMaxMigDeviceCount", gpu).value_or(0), kMostDevices);
  std::vector<NvmlDevice> instances;
  for (unsigned i = 0; at != nullptr && i < most; ++i) {
    Handle handle = nullptr;
    if (at(gpu, i, &handle) != kSuccess) continue;
    NvmlDevice instance = describe(nvml, handle);
    instance.is_mig = true;
    if (!instance.compute_capability) instance.compute_capability = whole_gpu.compute_capability;
    if (!instance.uuid.empty()) instances.push_back(std::move(instance));
  }
  return instances;
}

void add_gpu(const Library& nvml, Handle handle, std::int64_t index, NvmlView& view) {
  NvmlDevice gpu = describe(nvml, handle);
  read_pci(nvml, handle, gpu);
  gpu.nvlink_domain = domain_of(nvml, handle);
  if (gpu.uuid.empty()) {
    view.silent.push_back({index, "it does not tell its UUID"});
    return;
  }
  if (gpu.pci) view.pci_addresses.push_back(*gpu.pci);
  const bool mig = mode_now(nvml, "nvmlDeviceGetMigMode", handle).value_or(0) != 0;
  std::vector<NvmlDevice> devices;
  if (mig) {
    devices = instances_of(nvml, handle, gpu);
    if (devices.empty()) {
      view.silent.push_back({index, gpu.uuid + " is in MIG mode and has no instance"});
    }
  } else {
    devices.push_back(gpu);
  }
  for (NvmlDevice& device : devices) {
    device.pci = gpu.pci;
    device.pci_id = gpu.pci_id;
    device.nvlink_domain = gpu.nvlink_domain;
    view.devices.push_back(std::move(device));
  }
}

}  // namespace

std::string bus_form(const std::string& pci) {
  std::string form = pci;
  std::transform(form.begin(), form.end(), form.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  // NVML writes the domain with eight digits, the bus with four as long as they are enough.
  if (form.size() == 16 && form.compare(0, 4, "0000") == 0 && form[8] == ':') form.erase(0, 4);
  return form;
}

std::variant<NvmlView, std::string> look_with_nvml(const std::string& file) {
  const Library nvml(file);
  if (!nvml.problem().empty()) return nvml.problem();
  NvmlView view;
  view.driver_version = nvml.text("nvmlSystemGetDriverVersion");
  view.cuda_version = version(nvml.ask<int>("nvmlSystemGetCudaDriverVersion_v2"));
  const auto count = nvml.ask<unsigned>("nvmlDeviceGetCount_v2");
  const auto at = nvml.find<int (*)(unsigned, Handle*)>("nvmlDeviceGetHandleByIndex_v2");
  if (!count || at == nullptr) return "NVML does not tell how many devices there are";
  for (unsigned i = 0; i < std::min(*count, kMostDevices); ++i) {
    Handle handle = nullptr;
    if (const int code = at(i, &handle); code != kSuccess) {
      view.silent.push_back({i, nvml.error_text(code)});
    } else {
      add_gpu(nvml, handle, i, view);
    }
  }
  return view;
}

}  // namespace rackproof::inventory

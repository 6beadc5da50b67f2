#include "harness/inventory/nvml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <iterator>

#include "harness/inventory/gpu_details.hpp"
#include "harness/nvml/library.hpp"

namespace rackproof::inventory {
namespace {

using nvml::Handle;
using nvml::kMostDevices;
using nvml::kSuccess;
using nvml::Library;

constexpr std::int64_t kHertzPerMegahertz = 1'000'000;

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
void read_pci(const Library& library, Handle handle, NvmlDevice& device) {
  const auto info = library.ask<nvml::PciInfo>("nvmlDeviceGetPciInfo_v3", handle);
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
  if (info.state != nvml::kFabricCompleted || info.status != kSuccess ||
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

std::optional<std::string> domain_of(const Library& library, Handle handle) {
  const auto versioned =
      library.find<int (*)(Handle, nvml::FabricInfo2*)>("nvmlDeviceGetGpuFabricInfoV");
  nvml::FabricInfo2 info{};
  info.version = nvml::kFabricVersion2;
  if (versioned != nullptr && versioned(handle, &info) == kSuccess) return domain_in(info);
  const auto older = library.ask<nvml::FabricInfo>("nvmlDeviceGetGpuFabricInfo", handle);
  return older ? domain_in(*older) : std::nullopt;
}

std::optional<std::string> capability_of(const Library& library, Handle handle) {
  const auto function =
      library.find<int (*)(Handle, int*, int*)>("nvmlDeviceGetCudaComputeCapability");
  int major = 0;
  int minor = 0;
  if (function == nullptr || function(handle, &major, &minor) != kSuccess || major < 0 ||
      minor < 0) {
    return std::nullopt;
  }
  return std::to_string(major) + "." + std::to_string(minor);
}

// The first of two modes that a function gives: the one in force now.
std::optional<int> mode_now(const Library& library, const char* name, Handle handle) {
  const auto function = library.find<int (*)(Handle, int*, int*)>(name);
  int now = 0;
  int pending = 0;
  if (function == nullptr || function(handle, &now, &pending) != kSuccess) return std::nullopt;
  return now;
}

// What a whole GPU and its MIG instances have in common, and what only one of them has: functions
// that do not apply give an error, and the fact is missing.
NvmlDevice describe(const Library& library, Handle handle) {
  NvmlDevice device;
  device.uuid = library.text("nvmlDeviceGetUUID", handle).value_or("");
  device.name = library.text("nvmlDeviceGetName", handle).value_or("");
  device.compute_capability = capability_of(library, handle);
  device.vbios = library.text("nvmlDeviceGetVbiosVersion", handle);
  // What no whole number of ours can hold is no size of a memory either.
  if (const auto memory = library.ask<nvml::Memory>("nvmlDeviceGetMemoryInfo", handle);
      memory && memory->total <= static_cast<unsigned long long>(INT64_MAX)) {
    device.memory_bytes = static_cast<std::int64_t>(memory->total);
  }
  device.memory_bus_bits = whole(library.ask<unsigned>("nvmlDeviceGetMemoryBusWidth", handle));
  device.memory_clock_hertz =
      whole(library.ask<unsigned>("nvmlDeviceGetMaxClockInfo", handle, nvml::kClockMemory),
            kHertzPerMegahertz);
  device.sm_clock_hertz =
      whole(library.ask<unsigned>("nvmlDeviceGetMaxClockInfo", handle, nvml::kClockSm),
            kHertzPerMegahertz);
  device.cores = whole(library.ask<unsigned>("nvmlDeviceGetNumGpuCores", handle));
  device.pcie_generation =
      whole(library.ask<unsigned>("nvmlDeviceGetMaxPcieLinkGeneration", handle));
  device.pcie_width = whole(library.ask<unsigned>("nvmlDeviceGetMaxPcieLinkWidth", handle));
  if (const auto limit = library.ask<unsigned>("nvmlDeviceGetEnforcedPowerLimit", handle)) {
    device.power_limit_watts = *limit * 1e-3;
  }
  device.ecc = switched_on(mode_now(library, "nvmlDeviceGetEccMode", handle));
  device.persistence = switched_on(library.ask<int>("nvmlDeviceGetPersistenceMode", handle));
  return device;
}

std::vector<NvmlDevice> instances_of(const Library& library, Handle gpu,
                                     const NvmlDevice& whole_gpu) {
  const auto at =
      library.find<int (*)(Handle, unsigned, Handle*)>("nvmlDeviceGetMigDeviceHandleByIndex");
  const unsigned most = std::min(
      library.ask<unsigned>("nvmlDeviceGetMaxMigDeviceCount", gpu).value_or(0), kMostDevices);
  std::vector<NvmlDevice> instances;
  for (unsigned i = 0; at != nullptr && i < most; ++i) {
    Handle handle = nullptr;
    if (at(gpu, i, &handle) != kSuccess) continue;
    NvmlDevice instance = describe(library, handle);
    instance.is_mig = true;
    if (!instance.compute_capability) instance.compute_capability = whole_gpu.compute_capability;
    if (!instance.uuid.empty()) instances.push_back(std::move(instance));
  }
  return instances;
}

void add_gpu(const Library& library, Handle handle, std::int64_t index, NvmlView& view) {
  NvmlDevice gpu = describe(library, handle);
  read_pci(library, handle, gpu);
  gpu.nvlink_domain = domain_of(library, handle);
  gpu.details = gpu_details(library, handle);
  if (gpu.uuid.empty()) {
    view.silent.push_back({index, "it does not tell its UUID"});
    return;
  }
  if (gpu.pci) view.pci_addresses.push_back(*gpu.pci);
  const bool mig = mode_now(library, "nvmlDeviceGetMigMode", handle).value_or(0) != 0;
  std::vector<NvmlDevice> devices;
  if (mig) {
    devices = instances_of(library, handle, gpu);
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
    device.details = gpu.details;
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
  const Library library(file);
  if (!library.problem().empty()) return library.problem();
  NvmlView view;
  view.driver_version = library.text("nvmlSystemGetDriverVersion");
  view.confidential_compute = confidential_compute(library);
  view.cuda_version = version(library.ask<int>("nvmlSystemGetCudaDriverVersion_v2"));
  const auto count = library.ask<unsigned>("nvmlDeviceGetCount_v2");
  const auto at = library.find<int (*)(unsigned, Handle*)>("nvmlDeviceGetHandleByIndex_v2");
  if (!count || at == nullptr) return "NVML does not tell how many devices there are";
  for (unsigned i = 0; i < std::min(*count, kMostDevices); ++i) {
    Handle handle = nullptr;
    if (const int code = at(i, &handle); code != kSuccess) {
      view.silent.push_back({i, library.error_text(code)});
    } else {
      add_gpu(library, handle, i, view);
    }
  }
  return view;
}

}  // namespace rackproof::inventory

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include "harness/inventory/collectors.hpp"
#include "harness/inventory/nvml.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

const std::string kNvml = "NVML";

std::string joined(const std::vector<std::string>& words, const char* between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : between) + word;
  return text;
}

template <class T>
void put(FactSheet& sheet, const std::string& name, const std::optional<T>& value) {
  if (value) {
    sheet.put(name, *value, kNvml);
  } else {
    sheet.missing(name, kNvml, "NVML does not tell it for this device");
  }
}

void put_memory_peak(const NvmlDevice& device, FactSheet& sheet) {
  const char* const name = fact_name::kGpuMemoryPeakBytesPerSecond;
  if (!device.memory_clock_hertz || !device.memory_bus_bits || *device.memory_bus_bits <= 0) {
    sheet.missing(name, "computed", "NVML does not tell memory clock and bus width");
    return;
  }
  // Two transfers a clock, as every memory of a GPU has had for long.
  sheet.put(name,
            2.0 * static_cast<double>(*device.memory_clock_hertz) *
                static_cast<double>(*device.memory_bus_bits) / 8,
            "computed: 2 x highest memory clock x bus width");
}

void put_fp32_peak(const NvmlDevice& device, FactSheet& sheet) {
  const char* const name = fact_name::kGpuPeakFlopsFp32;
  if (!device.sm_clock_hertz || !device.cores || *device.cores <= 0) {
    sheet.missing(name, "computed", "NVML does not tell clock and number of cores");
    return;
  }
  sheet.put(name,
            2.0 * static_cast<double>(*device.sm_clock_hertz) * static_cast<double>(*device.cores),
            "computed: cores x highest clock x 2 (one multiply and add a clock)");
}

model::DeviceFacts facts_of(const NvmlDevice& device, std::int64_t index) {
  FactSheet sheet;
  sheet.put(fact_name::kGpuName, device.name, kNvml);
  sheet.put(fact_name::kGpuMig, device.is_mig, kNvml);
  put(sheet, fact_name::kGpuPciAddress, device.pci);
  put(sheet, fact_name::kGpuPciId, device.pci_id);
  if (device.nvlink_domain) sheet.put(fact_name::kNvlinkDomain, *device.nvlink_domain, kNvml);
  put(sheet, fact_name::kGpuComputeCapability, device.compute_capability);
  put(sheet, fact_name::kGpuVbios, device.vbios);
  put(sheet, fact_name::kGpuMemoryBytes, device.memory_bytes);
  put(sheet, fact_name::kGpuMemoryBusBits, device.memory_bus_bits);
  put(sheet, fact_name::kGpuMemoryClockHertz, device.memory_clock_hertz);
  put(sheet, fact_name::kGpuSmClockHertz, device.sm_clock_hertz);
  put(sheet, fact_name::kGpuCores, device.cores);
  put(sheet, fact_name::kGpuPcieGeneration, device.pcie_generation);
  put(sheet, fact_name::kGpuPcieWidth, device.pcie_width);
  put(sheet, fact_name::kGpuPowerLimitWatts, device.power_limit_watts);
  put(sheet, fact_name::kGpuEcc, device.ecc);
  put(sheet, fact_name::kGpuPersistence, device.persistence);
  put_memory_peak(device, sheet);
  put_fp32_peak(device, sheet);
  std::map<std::string, model::Fact> facts = sheet.facts();
  facts.insert(device.details.begin(), device.details.end());
  return {device.uuid, index, std::move(facts)};
}

// "NVIDIA H200", or every kind that there is.
template <class Read>
void put_kinds(const NvmlView& view, const std::string& name, Read read, FactSheet& sheet) {
  std::set<std::string> kinds;
  for (const NvmlDevice& device : view.devices) kinds.insert(read(device));
  kinds.erase("");
  if (!kinds.empty()) sheet.put(name, joined({kinds.begin(), kinds.end()}, ", "), kNvml);
}

// A number where all have the same memory, so that a rule can bound it; else every kind, as text.
void put_memory(const NvmlView& view, FactSheet& sheet) {
  const char* const name = fact_name::kGpuMemoryBytes;
  std::set<std::int64_t> kinds;
  for (const NvmlDevice& device : view.devices) kinds.insert(device.memory_bytes.value_or(0));
  kinds.erase(0);
  if (kinds.size() == 1) sheet.put(name, *kinds.begin(), kNvml);
  if (kinds.size() < 2) return;
  std::vector<std::string> texts;
  for (const std::int64_t bytes : kinds) texts.push_back(std::to_string(bytes));
  sheet.put(name, joined(texts, ", "), kNvml);
}

void put_unmanaged(const std::vector<std::string>& managed, FactSheet& sheet) {
  std::vector<std::string> unmanaged;
  for (const std::string& address :
       words_of(sheet.text(fact_name::kGpuPciAddresses).value_or(""))) {
    if (std::find(managed.begin(), managed.end(), address) == managed.end()) {
      unmanaged.push_back(address);
    }
  }
  if (!unmanaged.empty()) {
    sheet.put(fact_name::kGpuUnmanaged, joined(unmanaged, " "), "on the PCI bus and not in NVML");
  }
}

void put_view(const NvmlView& view, FactSheet& sheet) {
  sheet.put_count(fact_name::kGpuNvmlCount, view.devices.size(), kNvml);
  put(sheet, fact_name::kGpuDriverVersion, view.driver_version);
  put(sheet, fact_name::kGpuCudaVersion, view.cuda_version);
  const model::Fact& confidential = view.confidential_compute;
  if (confidential.value) {
    sheet.put(fact_name::kGpuConfidentialCompute, *confidential.value, confidential.source);
  } else {
    sheet.missing(fact_name::kGpuConfidentialCompute, confidential.source, confidential.unreadable);
  }
  put_kinds(
      view, fact_name::kGpuName, [](const NvmlDevice& device) { return device.name; }, sheet);
  put_kinds(
      view, fact_name::kGpuComputeCapability,
      [](const NvmlDevice& device) { return device.compute_capability.value_or(""); }, sheet);
  put_kinds(
      view, fact_name::kGpuPciId,
      [](const NvmlDevice& device) { return device.pci_id.value_or(""); }, sheet);
  put_kinds(
      view, fact_name::kNvlinkDomain,
      [](const NvmlDevice& device) { return device.nvlink_domain.value_or(""); }, sheet);
  put_memory(view, sheet);
  std::vector<std::string> silent;
  for (const NvmlSilent& one : view.silent) {
    silent.push_back(std::to_string(one.index) + ": " + one.why);
  }
  if (!silent.empty()) sheet.put(fact_name::kGpuSilent, joined(silent, "; "), kNvml);
}

using Look = std::variant<NvmlView, std::string>;

std::atomic<bool> given_up = false;

// A call into a wedged driver cannot be ended: the thread that hangs in it is left behind.
Look look_within(double seconds, const std::string& file) {
  struct Answer {
    std::mutex mutex;
    std::condition_variable there;
    std::optional<Look> look;
  };
  const auto answer = std::make_shared<Answer>();
  std::thread([answer, file] {
    Look look = look_with_nvml(file);
    const std::lock_guard lock(answer->mutex);
    answer->look = std::move(look);
    answer->there.notify_one();
  }).detach();
  std::unique_lock lock(answer->mutex);
  if (answer->there.wait_for(lock, std::chrono::duration<double>(seconds),
                             [&answer] { return answer->look.has_value(); })) {
    return std::move(*answer->look);
  }
  given_up = true;
  return fmt::format("no answer in {:.3g} s", seconds);
}

}  // namespace

bool left_waiting() { return given_up; }

std::vector<model::DeviceFacts> collect_devices(const std::string& nvml, FactSheet& sheet,
                                                double seconds) {
  if (nvml.empty()) {
    sheet.missing(fact_name::kGpuNvmlCount, kNvml, "the files of another machine are being read");
    return {};
  }
  const auto seen = look_within(seconds, nvml);
  if (const auto* why = std::get_if<std::string>(&seen)) {
    sheet.missing(fact_name::kGpuNvmlCount, kNvml, *why);
    // A driver that hangs is a driver: its GPUs are there and cannot be measured.
    if (left_waiting()) sheet.put(fact_name::kGpuSilent, *why, kNvml);
    put_unmanaged({}, sheet);
    return {};
  }
  const NvmlView& view = std::get<NvmlView>(seen);
  put_view(view, sheet);
  put_unmanaged(view.pci_addresses, sheet);
  std::vector<model::DeviceFacts> devices;
  for (const NvmlDevice& device : view.devices) {
    devices.push_back(facts_of(device, static_cast<std::int64_t>(devices.size())));
  }
  return devices;
}

}  // namespace rackproof::inventory

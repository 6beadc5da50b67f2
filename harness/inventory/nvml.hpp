#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// What NVML says of one GPU or one MIG instance. What it does not tell is missing, never zero.
struct NvmlDevice {
  std::string uuid;                   ///< "GPU-..." or "MIG-..."
  std::string name;                   ///< "NVIDIA H200"
  std::optional<std::string> pci;     ///< "0000:18:00.0", of the whole GPU
  std::optional<std::string> pci_id;  ///< "10de:2335", of the whole GPU
  /// "<cluster UUID>.<clique>" of the NVLink domain that the GPU has joined, where several machines
  /// can be members; missing where there is no such domain.
  std::optional<std::string> nvlink_domain;
  std::optional<std::string> compute_capability;  ///< "9.0"
  std::optional<std::string> vbios;
  std::optional<std::int64_t> memory_bytes;
  std::optional<std::int64_t> memory_bus_bits;
  std::optional<std::int64_t> memory_clock_hertz;  ///< the highest
  std::optional<std::int64_t> sm_clock_hertz;      ///< the highest
  std::optional<std::int64_t> cores;
  std::optional<std::int64_t> pcie_generation;  ///< the highest that GPU and slot share
  std::optional<std::int64_t> pcie_width;
  std::optional<double> power_limit_watts;  ///< in force now
  std::optional<bool> ecc;
  std::optional<bool> persistence;
  bool is_mig = false;
  std::map<std::string, model::Fact> details = {};  ///< gpu_details() of the whole GPU
};

/// A GPU that NVML counts and cannot be asked, and why: "GPU is lost".
struct NvmlSilent {
  std::int64_t index = 0;
  std::string why;
};

/// All that one look at NVML gives.
struct NvmlView {
  std::optional<std::string> driver_version;
  std::optional<std::string> cuda_version;  ///< the newest that the driver runs: "13.0"
  model::Fact confidential_compute = {};
  std::vector<NvmlDevice> devices;  ///< by NVML's index; MIG instances in place of their GPU
  std::vector<NvmlSilent> silent;
  std::vector<std::string> pci_addresses;  ///< of every GPU that NVML answers for
};

/// Loads the library, looks, and lets it go; `file` is a name for dlopen() or a path. Gives the
/// reason when it cannot be loaded or does not start: on a machine without a driver that is no
/// error. May hang where a driver is wedged, so it belongs into a child with a deadline.
std::variant<NvmlView, std::string> look_with_nvml(const std::string& file);

/// "0000:18:00.0" for NVML's "00000000:18:00.0" and "0000:18:00.0", as the PCI bus writes it.
std::string bus_form(const std::string& pci);

}  // namespace rackproof::inventory

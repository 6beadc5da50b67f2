#pragma once

#include "tests/fakes/nvml_host.hpp"

namespace rackproof::fakes {

// nvmlPciInfo_t, written down apart from the product's: a slip there is not to be one here as well.
struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_sub_system_id;
  char bus_id[32];
};

/// What the parts of the stand-in for NVML share: the GPU behind a handle, and the door that every
/// function passes, which waits and fails where it is told to.
const NvmlGpu& gpu_behind(void* handle);
int enter_nvml(const char* function, void* handle);

}  // namespace rackproof::fakes

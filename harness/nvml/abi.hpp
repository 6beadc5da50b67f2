#pragma once

namespace rackproof::nvml {

// The part of NVML's binary interface that is used. It has no header here; names, numbers and
// layouts are those that NVIDIA keeps stable from driver to driver (NVML API reference). A function
// gives 0 for success.
using Handle = void*;
inline constexpr int kSuccess = 0;
inline constexpr int kClockSm = 1;
inline constexpr int kClockMemory = 2;
/// More devices than any machine has: a count above it is nonsense.
inline constexpr unsigned kMostDevices = 1024;

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
inline constexpr unsigned kFabricVersion2 =
    static_cast<unsigned>(sizeof(FabricInfo2)) | (2U << 24U);
inline constexpr unsigned char kFabricCompleted = 3;

}  // namespace rackproof::nvml

#pragma once

#include <cstddef>

namespace rackproof::nvml {

// The part of NVML's binary interface that is used. It has no header here; names, numbers and
// layouts are those that NVIDIA keeps stable from driver to driver (NVML API reference). A function
// gives 0 for success.
using Handle = void*;
inline constexpr int kSuccess = 0;
inline constexpr int kNotSupported = 3;
inline constexpr int kFunctionNotFound = 13;
inline constexpr int kGpuIsLost = 15;
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

// nvmlPlatformInfo_v2_t: where a GPU is in its rack; since R570, with its own size and version in
// the first word.
struct PlatformInfo2 {
  unsigned version;
  unsigned char ib_guid[16];
  char chassis_serial[16];  ///< without a zero at its end where it has 16 letters
  unsigned char slot;       ///< of the rack, switches counted
  unsigned char tray;       ///< of the rack, switches not counted
  unsigned char host;       ///< within the slot
  unsigned char peer_type;
  unsigned char module;  ///< within the host
};
inline constexpr unsigned kPlatformVersion2 =
    static_cast<unsigned>(sizeof(PlatformInfo2)) | (2U << 24U);

// nvmlUtilization_t: percent of the time since the driver last looked.
struct Utilization {
  unsigned gpu;
  unsigned memory;
};

// nvmlFieldValue_t: one of many values that nvmlDeviceGetFieldValues gives at once.
struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency;
  int type;
  int code;
  unsigned char value[8];
};
inline constexpr int kTypeDouble = 0;
inline constexpr int kTypeUnsigned = 1;
inline constexpr int kTypeUnsignedLong = 2;
inline constexpr int kTypeUnsignedLongLong = 3;
inline constexpr int kTypeSignedLongLong = 4;
inline constexpr int kTypeSigned = 5;
inline constexpr int kTypeUnsignedShort = 6;

// NVML_FI_DEV_*, by the CUDA version that brought them: 4 with 9, 83 with 9.2, 94 with 10, 142 to
// 145 with 11, 186 with 12, 208 to 221 with 12.4 and later drivers. The last ones are of a link,
// which `scope` numbers, and are told from Blackwell on. Not asked for: 38, 45, 52 and 59, errors
// over all links, which are 0 on Hopper whatever happens; and 219, packets that forward error
// correction could not mend, which are sent again and of which a sound link of this speed has some.
inline constexpr unsigned kFieldEccCorrected = 3;
inline constexpr unsigned kFieldEccUncorrected = 4;
inline constexpr unsigned kFieldMemoryTemperature = 82;
inline constexpr unsigned kFieldEnergy = 83;
inline constexpr unsigned kFieldPcieReplay = 94;
inline constexpr unsigned kFieldRemappedCorrectable = 142;
inline constexpr unsigned kFieldRemappedUncorrectable = 143;
inline constexpr unsigned kFieldRemapPending = 144;
inline constexpr unsigned kFieldRemapFailure = 145;
inline constexpr unsigned kFieldPower = 186;
inline constexpr unsigned kFieldNvlinkReceiveErrors = 208;
inline constexpr unsigned kFieldNvlinkIntegrityErrors = 211;
inline constexpr unsigned kFieldNvlinkRecoveryEvents = 215;
inline constexpr unsigned kFieldNvlinkSymbolErrors = 221;

// nvmlNvLinkErrorCounter_t, for each link, up to Hopper.
inline constexpr unsigned kNvlinkReplay = 0;
inline constexpr unsigned kNvlinkRecovery = 1;
inline constexpr unsigned kNvlinkFlitCrc = 2;
inline constexpr unsigned kNvlinkDataCrc = 3;
inline constexpr unsigned kMostNvlinks = 18;  // NVML_NVLINK_MAX_LINKS

// nvmlEventData_t
struct EventData {
  Handle device;
  unsigned long long type;
  unsigned long long data;
  unsigned gpu_instance;
  unsigned compute_instance;
};
inline constexpr unsigned long long kEventXid = 8;

// GPM, counters of what parts of a GPU did between two samples: since R520, on Hopper and later.
struct GpmSupport {  // nvmlGpmSupport_t
  unsigned version;
  unsigned supported;
};
inline constexpr unsigned kGpmSupportVersion = 1;
struct GpmMetric {  // nvmlGpmMetric_t
  unsigned id;
  int code;
  double value;
  const char* short_name;
  const char* long_name;
  const char* unit;
};
// nvmlGpmMetricsGet_t: a driver looks at the first `count` metrics. Its header has had room for 98,
// 210 and 333 of them under the same version.
inline constexpr std::size_t kMostGpmMetrics = 333;
struct GpmMetricsGet {
  unsigned version;
  unsigned count;
  Handle first;
  Handle second;
  GpmMetric metrics[kMostGpmMetrics];
};
inline constexpr unsigned kGpmMetricsVersion = 1;
// NVML_GPM_METRIC_*: percent, and MiB/s.
inline constexpr unsigned kGpmSmUtilization = 2;
inline constexpr unsigned kGpmSmOccupancy = 3;
inline constexpr unsigned kGpmTensor = 5;
inline constexpr unsigned kGpmMemoryBandwidth = 10;
inline constexpr unsigned kGpmPcieSent = 20;
inline constexpr unsigned kGpmPcieReceived = 21;
inline constexpr unsigned kGpmNvlinkReceived = 60;
inline constexpr unsigned kGpmNvlinkSent = 61;

}  // namespace rackproof::nvml

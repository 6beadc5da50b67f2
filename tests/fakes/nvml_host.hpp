#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace rackproof::fakes {

// NVML's codes that the stand-in gives.
inline constexpr int kNvmlSuccess = 0;
inline constexpr int kNvmlInvalidArgument = 2;
inline constexpr int kNvmlNotSupported = 3;
inline constexpr int kNvmlNotFound = 6;
inline constexpr int kNvmlVersionMismatch = 25;

/// What becomes of a GPU while it plays.
struct NvmlChange {
  double after_ms = 0;  ///< since the library was loaded
  std::map<std::string, double> state;
  int xid = 0;       ///< an event that happens then; 0: none
  std::string when;  ///< not empty: it comes as soon as there is this file, whatever the time
};

/// A GPU as the stand-in for NVML plays it. What is empty is answered with "not supported", as a
/// driver does that cannot tell.
struct NvmlGpu {
  int index = 0;
  std::string uuid;
  std::string name;
  std::string bus_id;
  unsigned pci_id = 0;  ///< device in the upper half, vendor in the lower
  int major = 0;
  int minor = 0;
  std::optional<unsigned long long> memory_bytes;
  std::optional<unsigned> memory_bus_bits;
  std::optional<unsigned> memory_clock_mhz;
  std::optional<unsigned> sm_clock_mhz;
  std::optional<unsigned> cores;
  std::optional<unsigned> power_limit_milliwatts;
  std::optional<unsigned> pcie_generation;
  std::optional<unsigned> pcie_width;
  std::optional<bool> ecc;
  std::optional<bool> persistence;
  std::optional<std::string> vbios;
  std::optional<std::array<unsigned char, 16>> cluster;  ///< of its NVLink domain
  unsigned clique = 0;
  std::optional<int> instances;       ///< of MIG; empty: it is not in MIG mode
  int lost = 0;                       ///< code that the handle is refused with
  std::map<std::string, int> errors;  ///< code by function
  /// For inventories, by the names of docs/playing-a-rack.md.
  std::map<std::string, double> numbers;
  std::map<std::string, std::string> texts;
  std::set<int> nvlinks_down;
  /// For recorders: milliwatts, millijoules, celsius, memory_celsius, sm_mhz, memory_mhz, busy,
  /// memory_busy, throttle, ecc_corrected, ecc_uncorrected, remapped_rows, pcie_replays,
  /// nvlink_replays, nvlink_recoveries, nvlink_flit_crc_errors and nvlink_data_crc_errors (up to
  /// Hopper), nvlink_receive_errors, nvlink_integrity_errors, nvlink_recovery_events and
  /// nvlink_symbol_errors (from Blackwell on), all on the last of `nvlinks`; "gpm" (any number: it
  /// has GPM) and "gpm_10" (a metric by its number); "lost" fails every call, "hang_ms" delays it.
  std::map<std::string, double> state;
  std::vector<NvmlChange> changes;
};

/// What NVML says on one host.
struct NvmlHost {
  std::string driver = "580.65.06";
  int cuda = 13000;
  std::vector<NvmlGpu> gpus;
  std::map<std::string, int> errors;        ///< code by function, for all devices
  std::map<std::string, double> delays_ms;  ///< before a function answers
};

/// The host that this process is on, out of the JSON file that FAKE_NVML_FILE names (see
/// docs/playing-a-rack.md), or out of the words of FAKE_NVML: gpus=N, name=TEXT ('_' for a blank),
/// lost=I, mig=I:M, init=CODE, first=BUS, host=TEXT. Throws std::runtime_error when the file is not
/// what it should be.
NvmlHost read_nvml_host();

}  // namespace rackproof::fakes

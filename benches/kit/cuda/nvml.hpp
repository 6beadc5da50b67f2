#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace rackproof::kit::cuda {

/// What NVML says of a device at one moment. What it does not tell is missing, never zero.
struct DeviceState {
  double seconds = 0;  ///< kit::now_seconds() when it was read
  /// Nothing was under way: its clocks, reasons to throttle and gauge of power are not those of
  /// work.
  bool idle = false;
  std::optional<double> sm_clock_hz;
  std::optional<double> memory_clock_hz;
  std::optional<double> temperature_c;
  std::optional<double> power_w;   ///< the gauge: a mean over up to a second on recent devices
  std::optional<double> energy_j;  ///< since the driver was loaded; differences give true means
  std::optional<std::uint64_t> throttle_reasons;  ///< bits, see throttle_names()
};

/// The management library, loaded at run time: a program that cannot load it measures all the same
/// and says that clocks are unknown. One device, found by UUID. Move-only.
class Nvml {
 public:
  /// Nothing when libnvidia-ml.so.1 cannot be loaded, does not start, or does not know the device.
  static std::optional<Nvml> open(const std::string& uuid);
  ~Nvml();
  Nvml(Nvml&&) noexcept;
  Nvml& operator=(Nvml&&) noexcept;
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  /// The state now. For the energy the driver waits milliseconds, where it answers all else within
  /// some twenty microseconds (H100, driver 580): it is read where it is asked for.
  DeviceState read(bool energy) const;
  /// The limit in force now, in watts.
  std::optional<double> power_limit_w() const;
  /// The highest clock of the multiprocessors.
  std::optional<double> max_sm_clock_hz() const;
  /// Joules since the driver was loaded; see read().
  std::optional<double> energy_j() const;
  /// Reasons to throttle at this moment: bits, see throttle_names().
  std::optional<std::uint64_t> throttle_reasons() const;
  /// One of NVML's fields (NVML_FI_*), in its own unit; `scope` is the link or profile where a
  /// field has one. Nothing where the device or this driver has none.
  std::optional<double> field(unsigned number, unsigned scope = 0) const;
  /// Xid errors of the device since this was first called; nothing
  /// where the driver does not tell of them. One thread.
  std::optional<std::int64_t> xids();

 private:
  struct Library;
  explicit Nvml(std::unique_ptr<Library> library);
  std::unique_ptr<Library> library_;
};

/// Names of the set bits, in NVML's words (nvmlClocksEventReasons): "sw_power_cap", ...; a bit
/// without a name is "bit<N>". The idle bit is left out: it says that nothing ran.
std::vector<std::string> throttle_names(std::uint64_t reasons);

}  // namespace rackproof::kit::cuda

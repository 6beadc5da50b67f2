#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/nvml/library.hpp"
#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// What NVML tells of each GPU. Any call may hang, the constructor's too: GpuThread keeps it in a
/// thread of its own. Asks for nothing that takes long or holds the driver's lock: no processes, no
/// fans.
class GpuColumns : public Columns {
 public:
  /// `library` lives longer and has no problem().
  explicit GpuColumns(const nvml::Library& library);
  ~GpuColumns() override;
  GpuColumns(const GpuColumns&) = delete;
  GpuColumns& operator=(const GpuColumns&) = delete;

  const std::vector<Column>& columns() const override { return columns_; }
  void read(Moment moment, std::span<double> values) override;
  /// Xids, uncorrected ECC errors, and GPUs that were there and are lost.
  std::vector<Event> take_events() override;
  std::size_t gpus() const { return gpus_.size(); }
  /// Handle and UUID of each GPU that is recorded.
  std::vector<std::pair<nvml::Handle, std::string>> handles() const;
  /// GPUs that NVML counts and does not let ask, one line each.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  struct Gpu {
    nvml::Handle handle = nullptr;
    std::string uuid;
    double xids = 0;
    double last_xid = 0;
    bool listens = false;     ///< it was accepted that its Xids are told
    bool lost = false;        ///< and that was told
    double uncorrected = -1;  ///< ECC errors at the last count; -1: not known
    std::uint64_t counted_at = 0;
  };
  bool can_listen() const;  ///< this driver tells events
  void add_gpu(nvml::Handle handle, const std::string& uuid);
  void hear();
  /// An event of now, or of any time since `since`. Gives it, for what else it has.
  Event& tell(const Gpu& gpu, const char* kind, std::uint64_t since, std::string text);
  void count_ecc(Gpu& gpu, double uncorrected);
  int read_fields(const Gpu& gpu, std::size_t count, std::span<double> values) const;
  void read_calls(const Gpu& gpu, std::span<double> values) const;
  static double ask_unsigned(int (*function)(nvml::Handle, int, unsigned*), nvml::Handle handle,
                             int what, double scale);

  // Found once: a look-up by name costs more than some of the calls.
  int (*fields_)(nvml::Handle, int, nvml::FieldValue*);
  int (*temperature_)(nvml::Handle, int, unsigned*);
  int (*clock_)(nvml::Handle, int, unsigned*);
  int (*utilization_)(nvml::Handle, nvml::Utilization*);
  int (*throttle_)(nvml::Handle, unsigned long long*);
  int (*power_)(nvml::Handle, unsigned*);
  int (*wait_)(nvml::Handle, nvml::EventData*, unsigned);
  int (*register_)(nvml::Handle, unsigned long long, nvml::Handle);
  int (*free_)(nvml::Handle);

  nvml::Handle event_set_ = nullptr;
  std::uint64_t read_at_;  ///< CLOCK_MONOTONIC in ns
  std::vector<Gpu> gpus_;
  std::vector<Column> columns_;
  std::vector<Event> events_;
  std::vector<std::string> notes_;
};

}  // namespace rackproof::telemetry

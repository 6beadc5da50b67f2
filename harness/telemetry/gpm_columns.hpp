#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "harness/nvml/library.hpp"
#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// What NVML's GPM counts on GPUs that have it (Hopper and later, since driver R520): how busy
/// parts of the GPU were and how much went over its links, as means over the time between two
/// samples. It works beside profilers and takes no lock of theirs. Any call may hang, as
/// GpuColumns' do.
class GpmColumns : public Columns {
 public:
  /// GPUs in MIG mode are left out: GPM counts by instance there. `library` lives longer.
  GpmColumns(const nvml::Library& library,
             const std::vector<std::pair<nvml::Handle, std::string>>& gpus);
  ~GpmColumns() override;
  GpmColumns(const GpmColumns&) = delete;
  GpmColumns& operator=(const GpmColumns&) = delete;

  const std::vector<Column>& columns() const override { return columns_; }
  void read(Moment moment, std::span<double> values) override;

 private:
  struct Gpu {
    nvml::Handle handle = nullptr;
    nvml::Handle before = nullptr;  ///< the sample that the next one is compared with
    nvml::Handle now = nullptr;
    bool begun = false;  ///< there is one in `before`
  };
  bool can_count(nvml::Handle handle) const;
  void read_gpu(Gpu& gpu, std::span<double> values);

  const nvml::Library& library_;
  int (*sample_)(nvml::Handle, nvml::Handle);
  int (*compute_)(nvml::GpmMetricsGet*);
  int (*free_)(nvml::Handle);
  std::unique_ptr<nvml::GpmMetricsGet> request_;  ///< large
  std::vector<Gpu> gpus_;
  std::vector<Column> columns_;
};

}  // namespace rackproof::telemetry

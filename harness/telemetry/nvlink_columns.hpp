#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "harness/nvml/library.hpp"
#include "harness/telemetry/columns.hpp"

namespace rackproof::telemetry {

/// What NVML counts of errors on the NVLinks of each GPU, over all of its links: up to Hopper a
/// call for each link and counter, from Blackwell on fields with the link as their scope. A GPU has
/// the columns of those that its driver answers, and none where it answers neither: the fields that
/// are a sum over all links give 0 on both. Any call may hang, as GpuColumns' do.
class NvlinkColumns : public Columns {
 public:
  /// `library` lives longer.
  NvlinkColumns(const nvml::Library& library,
                const std::vector<std::pair<nvml::Handle, std::string>>& gpus);
  NvlinkColumns(const NvlinkColumns&) = delete;
  NvlinkColumns& operator=(const NvlinkColumns&) = delete;

  const std::vector<Column>& columns() const override { return columns_; }
  void read(Moment moment, std::span<double> values) override;

 private:
  /// One counter of one GPU, by link. A link that does not answer any more keeps what it had: its
  /// errors are no fewer for that.
  struct Counter {
    unsigned id = 0;
    bool by_call = false;
    std::vector<double> last;
  };
  struct Gpu {
    nvml::Handle handle = nullptr;
    std::vector<unsigned> links;
    std::vector<Counter> counters;
  };
  std::vector<unsigned> links_of(nvml::Handle handle) const;
  void add_gpu(nvml::Handle handle, const std::string& uuid);
  int ask_call(nvml::Handle handle, unsigned link, unsigned id, double& value) const;
  int ask_field(nvml::Handle handle, unsigned link, unsigned id, double& value) const;
  double sum(const Gpu& gpu, Counter& counter) const;

  int (*state_)(nvml::Handle, unsigned, unsigned*);
  int (*errors_)(nvml::Handle, unsigned, unsigned, unsigned long long*);
  int (*fields_)(nvml::Handle, int, nvml::FieldValue*);
  std::vector<Gpu> gpus_;
  std::vector<Column> columns_;
};

}  // namespace rackproof::telemetry

#include "harness/telemetry/gpm_columns.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "harness/telemetry/missing.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

namespace column_name = model::column_name;

using nvml::Handle;

// Nothing is lost between two samples: they are means. Each costs two calls for every GPU.
constexpr unsigned kEvery = 10;
constexpr double kPercent = 1e-2;
constexpr double kMebibyte = 1 << 20;

struct Metric {
  unsigned id;
  const char* name;
  double scale;
};
constexpr std::array<Metric, 8> kMetrics = {{
    {nvml::kGpmSmUtilization, column_name::kGpuGpmSmActive, kPercent},
    {nvml::kGpmSmOccupancy, column_name::kGpuGpmSmOccupancy, kPercent},
    {nvml::kGpmTensor, column_name::kGpuGpmTensorActive, kPercent},
    {nvml::kGpmMemoryBandwidth, column_name::kGpuGpmMemoryBandwidth, kPercent},
    {nvml::kGpmPcieSent, column_name::kGpuGpmPcieSent, kMebibyte},
    {nvml::kGpmPcieReceived, column_name::kGpuGpmPcieReceived, kMebibyte},
    {nvml::kGpmNvlinkSent, column_name::kGpuGpmNvlinkSent, kMebibyte},
    {nvml::kGpmNvlinkReceived, column_name::kGpuGpmNvlinkReceived, kMebibyte},
}};

}  // namespace

GpmColumns::GpmColumns(const nvml::Library& library,
                       const std::vector<std::pair<Handle, std::string>>& gpus)
    : library_(library),
      sample_(library.find<decltype(sample_)>("nvmlGpmSampleGet")),
      compute_(library.find<decltype(compute_)>("nvmlGpmMetricsGet")),
      free_(library.find<decltype(free_)>("nvmlGpmSampleFree")),
      request_(std::make_unique<nvml::GpmMetricsGet>()) {
  if (sample_ == nullptr || compute_ == nullptr || free_ == nullptr) return;
  for (const auto& [handle, uuid] : gpus) {
    if (!can_count(handle)) continue;
    const auto before = library.ask<Handle>("nvmlGpmSampleAlloc");
    if (!before) continue;
    const auto now = library.ask<Handle>("nvmlGpmSampleAlloc");
    if (!now) {
      free_(*before);
      continue;
    }
    gpus_.push_back({handle, *before, *now});
    for (const Metric& metric : kMetrics) {
      columns_.push_back(column_of(metric.name, uuid, Kind::kGauge,
                                   "nvmlGpmMetricsGet " + std::to_string(metric.id)));
    }
  }
}

GpmColumns::~GpmColumns() {
  for (const Gpu& gpu : gpus_) {
    free_(gpu.before);
    free_(gpu.now);
  }
}

bool GpmColumns::can_count(Handle handle) const {
  const auto mig = library_.find<int (*)(Handle, unsigned*, unsigned*)>("nvmlDeviceGetMigMode");
  unsigned current = 0;
  unsigned pending = 0;
  if (mig != nullptr && mig(handle, &current, &pending) == nvml::kSuccess && current != 0) {
    return false;
  }
  const auto query = library_.find<int (*)(Handle, nvml::GpmSupport*)>("nvmlGpmQueryDeviceSupport");
  nvml::GpmSupport support{nvml::kGpmSupportVersion, 0};
  return query != nullptr && query(handle, &support) == nvml::kSuccess && support.supported != 0;
}

void GpmColumns::read_gpu(Gpu& gpu, std::span<double> values) {
  int code = sample_(gpu.handle, gpu.now);
  if (code != nvml::kSuccess) {
    // What is counted across the gap would be taken for one interval.
    gpu.begun = false;
    std::fill(values.begin(), values.end(), refused(code));
    return;
  }
  std::swap(gpu.before, gpu.now);
  if (!std::exchange(gpu.begun, true)) {
    std::fill(values.begin(), values.end(), missing(Why::kNotDue));
    return;
  }
  request_->version = nvml::kGpmMetricsVersion;
  request_->count = kMetrics.size();
  request_->first = gpu.now;
  request_->second = gpu.before;
  for (std::size_t i = 0; i < kMetrics.size(); ++i) {
    request_->metrics[i] = {};
    request_->metrics[i].id = kMetrics[i].id;
  }
  code = compute_(request_.get());
  for (std::size_t i = 0; i < kMetrics.size(); ++i) {
    const nvml::GpmMetric& metric = request_->metrics[i];
    const int own = code == nvml::kSuccess ? metric.code : code;
    values[i] = own == nvml::kSuccess ? sound(metric.value, kMetrics[i].scale) : refused(own);
  }
}

void GpmColumns::read(Moment moment, std::span<double> values) {
  if (!moment.due(kEvery)) {
    std::fill(values.begin(), values.end(), missing(Why::kNotDue));
    return;
  }
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    read_gpu(gpus_[i], values.subspan(i * kMetrics.size(), kMetrics.size()));
  }
}

}  // namespace rackproof::telemetry

#include "harness/telemetry/nvlink_columns.hpp"

#include <algorithm>

#include "harness/telemetry/field_value.hpp"
#include "harness/telemetry/missing.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

namespace column_name = model::column_name;

using nvml::Handle;

// Counters move rarely, and the driver asks the GPU for each of each link.
constexpr unsigned kNvlinkEvery = 50;

struct NvlinkCounter {
  unsigned id;
  const char* name;
  bool by_call;
};

constexpr std::array<NvlinkCounter, 8> kNvlinkCounters = {{
    {nvml::kNvlinkReplay, column_name::kGpuNvlinkReplays, true},
    {nvml::kNvlinkRecovery, column_name::kGpuNvlinkRecoveries, true},
    {nvml::kNvlinkFlitCrc, column_name::kGpuNvlinkFlitCrcErrors, true},
    {nvml::kNvlinkDataCrc, column_name::kGpuNvlinkDataCrcErrors, true},
    {nvml::kFieldNvlinkReceiveErrors, column_name::kGpuNvlinkReceiveErrors, false},
    {nvml::kFieldNvlinkIntegrityErrors, column_name::kGpuNvlinkIntegrityErrors, false},
    {nvml::kFieldNvlinkRecoveryEvents, column_name::kGpuNvlinkRecoveryEvents, false},
    {nvml::kFieldNvlinkSymbolErrors, column_name::kGpuNvlinkSymbolErrors, false},
}};

}  // namespace

NvlinkColumns::NvlinkColumns(const nvml::Library& library,
                             const std::vector<std::pair<Handle, std::string>>& gpus)
    : state_(library.find<decltype(state_)>("nvmlDeviceGetNvLinkState")),
      errors_(library.find<decltype(errors_)>("nvmlDeviceGetNvLinkErrorCounter")),
      fields_(library.find<decltype(fields_)>("nvmlDeviceGetFieldValues")) {
  if (state_ == nullptr) return;
  for (const auto& [handle, uuid] : gpus) add_gpu(handle, uuid);
}

// Those that there are, up or down.
std::vector<unsigned> NvlinkColumns::links_of(Handle handle) const {
  std::vector<unsigned> links;
  for (unsigned link = 0; link < nvml::kMostNvlinks; ++link) {
    unsigned active = 0;
    if (state_(handle, link, &active) == nvml::kSuccess) links.push_back(link);
  }
  return links;
}

void NvlinkColumns::add_gpu(Handle handle, const std::string& uuid) {
  Gpu gpu{handle, links_of(handle), {}};
  for (const NvlinkCounter& known : kNvlinkCounters) {
    Counter counter{known.id, known.by_call, std::vector<double>(gpu.links.size())};
    if (!is_value(sum(gpu, counter))) continue;
    const std::string source = known.by_call ? "nvmlDeviceGetNvLinkErrorCounter "
                                             : "nvmlDeviceGetFieldValues, each link, ";
    columns_.push_back(
        column_of(known.name, uuid, Kind::kCounter, source + std::to_string(known.id)));
    gpu.counters.push_back(std::move(counter));
  }
  if (!gpu.counters.empty()) gpus_.push_back(std::move(gpu));
}

int NvlinkColumns::ask_call(Handle handle, unsigned link, unsigned id, double& value) const {
  unsigned long long count = 0;
  const int code = errors_ == nullptr ? nvml::kFunctionNotFound : errors_(handle, link, id, &count);
  value = static_cast<double>(count);
  return code;
}

int NvlinkColumns::ask_field(Handle handle, unsigned link, unsigned id, double& value) const {
  nvml::FieldValue field{};
  field.field = id;
  field.scope = link;
  const int code = fields_ == nullptr ? nvml::kFunctionNotFound : fields_(handle, 1, &field);
  if (code != nvml::kSuccess) return code;
  value = number_of(field);
  return field.code;
}

double NvlinkColumns::sum(const Gpu& gpu, Counter& counter) const {
  int refusal = nvml::kNotSupported;
  bool answered = false;
  for (std::size_t i = 0; i < gpu.links.size(); ++i) {
    double value = 0;
    const int code = counter.by_call ? ask_call(gpu.handle, gpu.links[i], counter.id, value)
                                     : ask_field(gpu.handle, gpu.links[i], counter.id, value);
    if (code == nvml::kSuccess && is_value(sound(value, 1))) {
      counter.last[i] = value;
      answered = true;
    } else if (code != nvml::kSuccess) {
      refusal = code;
    }
  }
  if (!answered) return refused(refusal);
  double all = 0;
  for (const double one : counter.last) all += one;
  return all;
}

void NvlinkColumns::read(Moment moment, std::span<double> values) {
  if (!moment.due(kNvlinkEvery)) {
    std::fill(values.begin(), values.end(), missing(Why::kNotDue));
    return;
  }
  std::size_t at = 0;
  for (Gpu& gpu : gpus_) {
    for (Counter& counter : gpu.counters) values[at++] = sum(gpu, counter);
  }
}

}  // namespace rackproof::telemetry

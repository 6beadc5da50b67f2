#include "harness/telemetry/gpu_columns.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/telemetry/field_value.hpp"
#include "harness/telemetry/missing.hpp"
#include "harness/telemetry/recorder.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

namespace column_name = model::column_name;

using nvml::Handle;

// Counters move rarely, and the driver asks the GPU for each.
constexpr unsigned kCountersEvery = 10;
// Where the driver answers what else is read within 20 us, it waits 3 to 9 ms for the energy and
// half of one for PCIe's replays (H100, driver 580).
constexpr unsigned kDearEvery = 100;
// More Xids at once than a sample has time for: the rest are heard at the next.
constexpr int kMostEvents = 64;
// Any higher is no code.
constexpr unsigned long long kHighestXid = 0xffff;

struct Field {
  unsigned id;
  const char* name;
  Kind kind;
  double scale;
};

// The first ones at each sample, the next ones seldom, the last ones hardly ever.
constexpr std::size_t kStateFields = 2;
constexpr std::size_t kCounterFields = 8;
constexpr std::size_t kUncorrected = 3;
constexpr std::array<Field, 10> kFields = {{
    {nvml::kFieldPower, column_name::kGpuPower, Kind::kGauge, 1e-3},
    {nvml::kFieldMemoryTemperature, column_name::kGpuMemoryTemperature, Kind::kGauge, 1},
    {nvml::kFieldEccCorrected, column_name::kGpuEccCorrected, Kind::kCounter, 1},
    {nvml::kFieldEccUncorrected, column_name::kGpuEccUncorrected, Kind::kCounter, 1},
    {nvml::kFieldRemappedCorrectable, column_name::kGpuRemappedCorrectable, Kind::kCounter, 1},
    {nvml::kFieldRemappedUncorrectable, column_name::kGpuRemappedUncorrectable, Kind::kCounter, 1},
    {nvml::kFieldRemapPending, column_name::kGpuRemapPending, Kind::kGauge, 1},
    {nvml::kFieldRemapFailure, column_name::kGpuRemapFailure, Kind::kGauge, 1},
    {nvml::kFieldPcieReplay, column_name::kGpuPcieReplays, Kind::kCounter, 1},
    {nvml::kFieldEnergy, column_name::kGpuEnergy, Kind::kCounter, 1e-3},
}};

std::size_t fields_due(Moment moment) {
  if (moment.due(kDearEvery)) return kFields.size();
  return moment.due(kCountersEvery) ? kCounterFields : kStateFields;
}

struct Call {
  const char* name;
  Kind kind;
  const char* function;
};
constexpr std::array<Call, 8> kCalls = {{
    {column_name::kGpuTemperature, Kind::kGauge, "nvmlDeviceGetTemperature"},
    {column_name::kGpuSmClock, Kind::kGauge, "nvmlDeviceGetClockInfo"},
    {column_name::kGpuMemoryClock, Kind::kGauge, "nvmlDeviceGetClockInfo"},
    {column_name::kGpuUtilization, Kind::kGauge, "nvmlDeviceGetUtilizationRates"},
    {column_name::kGpuMemoryUtilization, Kind::kGauge, "nvmlDeviceGetUtilizationRates"},
    {column_name::kGpuThrottle, Kind::kMask, "nvmlDeviceGetCurrentClocksThrottleReasons"},
    {column_name::kGpuXids, Kind::kCounter, "nvmlEventSetWait_v2"},
    {column_name::kGpuLastXid, Kind::kGauge, "nvmlEventSetWait_v2"},
}};
constexpr std::size_t kPerGpu = kFields.size() + kCalls.size();

// By its new name where a driver has the old one no more.
template <typename Function>
Function find_throttle(const nvml::Library& library) {
  const Function old = library.find<Function>("nvmlDeviceGetCurrentClocksThrottleReasons");
  if (old != nullptr) return old;
  return library.find<Function>("nvmlDeviceGetCurrentClocksEventReasons");
}

}  // namespace

GpuColumns::GpuColumns(const nvml::Library& library)
    : fields_(library.find<decltype(fields_)>("nvmlDeviceGetFieldValues")),
      temperature_(library.find<decltype(temperature_)>("nvmlDeviceGetTemperature")),
      clock_(library.find<decltype(clock_)>("nvmlDeviceGetClockInfo")),
      utilization_(library.find<decltype(utilization_)>("nvmlDeviceGetUtilizationRates")),
      throttle_(find_throttle<decltype(throttle_)>(library)),
      power_(library.find<decltype(power_)>("nvmlDeviceGetPowerUsage")),
      wait_(library.find<decltype(wait_)>("nvmlEventSetWait_v2")),
      register_(library.find<decltype(register_)>("nvmlDeviceRegisterEvents")),
      free_(library.find<decltype(free_)>("nvmlEventSetFree")),
      read_at_(monotonic_ns()) {
  if (can_listen()) event_set_ = library.ask<Handle>("nvmlEventSetCreate").value_or(nullptr);
  const auto count = library.ask<unsigned>("nvmlDeviceGetCount_v2");
  const auto at = library.find<int (*)(unsigned, Handle*)>("nvmlDeviceGetHandleByIndex_v2");
  if (!count || at == nullptr) {
    notes_.push_back("NVML does not tell how many devices there are");
    return;
  }
  for (unsigned i = 0; i < std::min(*count, nvml::kMostDevices); ++i) {
    Handle handle = nullptr;
    const int code = at(i, &handle);
    const auto uuid =
        code == nvml::kSuccess ? library.text("nvmlDeviceGetUUID", handle) : std::nullopt;
    if (!uuid || uuid->empty()) {
      notes_.push_back(
          "GPU " + std::to_string(i) + " is not recorded: " +
          (code == nvml::kSuccess ? "it does not tell its UUID" : library.error_text(code)));
      continue;
    }
    add_gpu(handle, *uuid);
  }
}

GpuColumns::~GpuColumns() {
  if (event_set_ != nullptr) free_(event_set_);
}

std::vector<std::pair<Handle, std::string>> GpuColumns::handles() const {
  std::vector<std::pair<Handle, std::string>> all;
  for (const Gpu& gpu : gpus_) all.emplace_back(gpu.handle, gpu.uuid);
  return all;
}

bool GpuColumns::can_listen() const {
  return wait_ != nullptr && register_ != nullptr && free_ != nullptr;
}

void GpuColumns::add_gpu(Handle handle, const std::string& uuid) {
  gpus_.push_back({handle, uuid});
  for (const Field& field : kFields) {
    columns_.push_back(column_of(field.name, uuid, field.kind,
                                 "nvmlDeviceGetFieldValues " + std::to_string(field.id)));
  }
  for (const Call& call : kCalls) {
    columns_.push_back(column_of(call.name, uuid, call.kind, call.function));
  }
  gpus_.back().listens =
      event_set_ != nullptr && register_(handle, nvml::kEventXid, event_set_) == nvml::kSuccess;
}

// Never waits: without an event the answer is a timeout at once.
void GpuColumns::hear() {
  nvml::EventData event{};
  for (int i = 0; event_set_ != nullptr && i < kMostEvents; ++i) {
    if (wait_(event_set_, &event, 0) != nvml::kSuccess) return;
    if (event.type != nvml::kEventXid) continue;
    for (Gpu& gpu : gpus_) {
      if (gpu.handle != event.device) continue;
      gpu.xids += 1;
      gpu.last_xid = static_cast<double>(event.data);
      const auto code = static_cast<std::int64_t>(std::min(event.data, kHighestXid));
      Event& told = tell(gpu, "xid", read_at_, "NVML: Xid " + std::to_string(code));
      told.severity = severity_of_xid(code);
      told.code = code;
    }
  }
}

Event& GpuColumns::tell(const Gpu& gpu, const char* kind, std::uint64_t since, std::string text) {
  Event event;
  event.monotonic_ns = monotonic_ns();
  event.within_ns = event.monotonic_ns - std::min(since, event.monotonic_ns);
  event.kind = kind;
  event.severity = model::Severity::kError;
  event.device = gpu.uuid;
  event.source = EventSource::kNvml;
  event.text = std::move(text);
  return events_.emplace_back(std::move(event));
}

// A driver tells few of them as Xids, and none where it tells no events.
void GpuColumns::count_ecc(Gpu& gpu, double uncorrected) {
  if (!is_value(uncorrected)) return;
  if (gpu.uncorrected >= 0 && uncorrected > gpu.uncorrected) {
    const auto more = static_cast<std::int64_t>(std::min(uncorrected - gpu.uncorrected, 1e15));
    tell(gpu, "ecc", gpu.counted_at,
         "NVML: " + std::to_string(more) + " more uncorrected ECC errors")
        .count = more;
  }
  gpu.uncorrected = uncorrected;
  gpu.counted_at = monotonic_ns();
}

std::vector<Event> GpuColumns::take_events() { return std::exchange(events_, {}); }

// Gives the code of the call.
int GpuColumns::read_fields(const Gpu& gpu, std::size_t count, std::span<double> values) const {
  std::fill(values.begin(), values.end(), missing(Why::kNotDue));
  std::array<nvml::FieldValue, kFields.size()> asked{};
  for (std::size_t i = 0; i < count; ++i) asked[i].field = kFields[i].id;
  const int code = fields_ == nullptr ? nvml::kFunctionNotFound
                                      : fields_(gpu.handle, static_cast<int>(count), asked.data());
  for (std::size_t i = 0; i < count; ++i) {
    const int own = code == nvml::kSuccess ? asked[i].code : code;
    values[i] = own == nvml::kSuccess ? sound(number_of(asked[i]), kFields[i].scale) : refused(own);
  }
  // Drivers before CUDA 12 do not know the field of the power.
  unsigned milliwatts = 0;
  if (!is_value(values[0]) && code != nvml::kGpuIsLost && power_ != nullptr &&
      power_(gpu.handle, &milliwatts) == nvml::kSuccess) {
    values[0] = milliwatts * 1e-3;
  }
  return code;
}

double GpuColumns::ask_unsigned(int (*function)(Handle, int, unsigned*), Handle handle, int what,
                                double scale) {
  unsigned value = 0;
  const int code = function == nullptr ? nvml::kFunctionNotFound : function(handle, what, &value);
  return code == nvml::kSuccess ? value * scale : refused(code);
}

void GpuColumns::read_calls(const Gpu& gpu, std::span<double> values) const {
  constexpr double kHertzPerMegahertz = 1e6;
  constexpr double kOneInHundred = 1e-2;
  values[0] = ask_unsigned(temperature_, gpu.handle, 0, 1);
  values[1] = ask_unsigned(clock_, gpu.handle, nvml::kClockSm, kHertzPerMegahertz);
  values[2] = ask_unsigned(clock_, gpu.handle, nvml::kClockMemory, kHertzPerMegahertz);
  nvml::Utilization busy{};
  int code = utilization_ == nullptr ? nvml::kFunctionNotFound : utilization_(gpu.handle, &busy);
  values[3] = code == nvml::kSuccess ? busy.gpu * kOneInHundred : refused(code);
  values[4] = code == nvml::kSuccess ? busy.memory * kOneInHundred : refused(code);
  unsigned long long reasons = 0;
  code = throttle_ == nullptr ? nvml::kFunctionNotFound : throttle_(gpu.handle, &reasons);
  values[5] = code == nvml::kSuccess ? static_cast<double>(reasons) : refused(code);
  values[6] = gpu.listens ? gpu.xids : refused(nvml::kNotSupported);
  values[7] = gpu.listens ? gpu.last_xid : refused(nvml::kNotSupported);
}

void GpuColumns::read(Moment moment, std::span<double> values) {
  const std::uint64_t now = monotonic_ns();
  hear();
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    const auto own = values.subspan(i * kPerGpu, kPerGpu);
    Gpu& gpu = gpus_[i];
    const int code = read_fields(gpu, fields_due(moment), own.first(kFields.size()));
    if (code == nvml::kGpuIsLost && !gpu.lost) {
      gpu.lost = true;
      tell(gpu, "gpu-lost", read_at_, "NVML: the GPU is lost");
    }
    count_ecc(gpu, own[kUncorrected]);
    read_calls(gpu, own.subspan(kFields.size()));
  }
  read_at_ = now;
}

}  // namespace rackproof::telemetry

// The part of the stand-in for NVML that a recorder asks: states, counters and events that may
// change while it plays.
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "tests/fakes/fake_nvml.hpp"
#include "tests/fakes/fake_nvml_power.hpp"

namespace {

using namespace rackproof::fakes;
using SteadyClock = std::chrono::steady_clock;

constexpr int kTimeout = 10;
constexpr int kLost = 15;
constexpr int kTypeUnsignedLongLong = 3;
constexpr unsigned kFirstOfLinks = 201;
constexpr unsigned kLastOfLinks = 250;
constexpr unsigned long long kPowerBrake = 0x80;
const std::set<unsigned> kSumsOverLinks = {38, 45, 52, 59};

const SteadyClock::time_point kBegin = SteadyClock::now();
std::set<void*> listened;
std::map<std::string, std::size_t> told_xids;

struct FieldValue {
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency;
  int type;
  int code;
  unsigned long long value;
};

struct EventData {
  void* device;
  unsigned long long type;
  unsigned long long data;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct GpmSupport {
  unsigned version;
  unsigned supported;
};

struct GpmMetric {
  unsigned id;
  int code;
  double value;
  char* words[3];
};

struct GpmMetricsGet {
  unsigned version;
  unsigned count;
  struct GpmSample* first;
  struct GpmSample* second;
  GpmMetric metrics[1];  // as many as the caller has
};

struct GpmSample {
  void* of = nullptr;
  int number = 0;  // in the order taken
};

double milliseconds() {
  return std::chrono::duration<double, std::milli>(SteadyClock::now() - kBegin).count();
}

bool has_come(const NvmlChange& change) {
  if (!change.when.empty()) return access(change.when.c_str(), F_OK) == 0;
  return change.after_ms <= milliseconds();
}

// What the GPU is at this moment: its state with all changes up to now.
std::map<std::string, double> state_of(const NvmlGpu& gpu) {
  std::map<std::string, double> state = gpu.state;
  if (follows_load(gpu)) {
    const FollowedPower power = followed_power(gpu);
    state["milliwatts"] = power.watts * 1e3;
    state["millijoules"] = power.joules * 1e3;
    state["power_brake_ns"] = power.brake_ns;
    state["throttle"] = static_cast<double>(power.brakes ? kPowerBrake : 0);
  }
  for (const NvmlChange& change : gpu.changes) {
    if (!has_come(change)) continue;
    for (const auto& [name, value] : change.state) state[name] = value;
  }
  return state;
}

// The door again, and two things that a change may bring: a GPU that is lost, a call that hangs.
int ask(const char* function, void* handle, const char* name, double& value) {
  if (const int code = enter_nvml(function, handle); code != kNvmlSuccess) return code;
  const std::map<std::string, double> state = state_of(gpu_behind(handle));
  if (state.contains("hang_ms")) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(state.at("hang_ms")));
  }
  if (state.contains("lost")) return kLost;
  const auto found = state.find(name);
  if (found == state.end()) return kNvmlNotSupported;
  value = found->second;
  return kNvmlSuccess;
}

unsigned links_of(void* handle) {
  const auto& numbers = gpu_behind(handle).numbers;
  const auto found = numbers.find("nvlinks");
  return found == numbers.end() ? 0 : static_cast<unsigned>(found->second);
}

int give(const char* function, void* handle, const char* name, unsigned* to) {
  double value = 0;
  const int code = ask(function, handle, name, value);
  if (code == kNvmlSuccess) *to = static_cast<unsigned>(value);
  return code;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are those of NVML.
extern "C" {

int nvmlDeviceGetFieldValues(void* handle, int count, FieldValue* values) {
  static const std::map<unsigned, const char*> names = {{3, "ecc_corrected"},
                                                        {4, "ecc_uncorrected"},
                                                        {82, "memory_celsius"},
                                                        {83, "millijoules"},
                                                        {94, "pcie_replays"},
                                                        {143, "remapped_rows"},
                                                        {186, "milliwatts"},
                                                        {74, "power_cap_ns"},
                                                        {251, "software_thermal_ns"},
                                                        {252, "hardware_thermal_ns"},
                                                        {253, "power_brake_ns"},
                                                        {256, "smoothing"},
                                                        {260, "smoothing_floor_watts"},
                                                        {266, "smoothing_rise_milliwatts"},
                                                        {267, "smoothing_fall_milliwatts"},
                                                        {268, "smoothing_hysteresis_ms"},
                                                        {269, "smoothing_profile"},
                                                        {208, "nvlink_receive_errors"},
                                                        {211, "nvlink_integrity_errors"},
                                                        {215, "nvlink_recovery_events"},
                                                        {221, "nvlink_symbol_errors"}};
  for (int i = 0; i < count; ++i) {
    double value = 0;
    const auto name = names.find(values[i].field);
    values[i].code =
        ask("nvmlDeviceGetFieldValues", handle, name == names.end() ? "" : name->second, value);
    if (values[i].code == kLost) return kLost;
    // Of a link: all errors are on the last one.
    if (values[i].field >= kFirstOfLinks && values[i].field <= kLastOfLinks &&
        values[i].code == kNvmlSuccess) {
      const unsigned links = links_of(handle);
      if (values[i].scope >= links) values[i].code = kNvmlInvalidArgument;
      if (values[i].scope + 1 != links) value = 0;
    }
    // Those over all links, which tell nothing.
    if (kSumsOverLinks.contains(values[i].field)) values[i].code = kNvmlSuccess;
    values[i].type = kTypeUnsignedLongLong;
    values[i].value = static_cast<unsigned long long>(value);
  }
  return kNvmlSuccess;
}

int nvmlDeviceGetNvLinkErrorCounter(void* handle, unsigned link, unsigned counter,
                                    unsigned long long* errors) {
  constexpr const char* kNames[] = {"nvlink_replays", "nvlink_recoveries", "nvlink_flit_crc_errors",
                                    "nvlink_data_crc_errors"};
  if (counter >= std::size(kNames) || link >= links_of(handle)) return kNvmlInvalidArgument;
  double value = 0;
  const int code = ask("nvmlDeviceGetNvLinkErrorCounter", handle, kNames[counter], value);
  *errors = link + 1 == links_of(handle) ? static_cast<unsigned long long>(value) : 0;
  return code;
}

int nvmlDeviceGetTemperature(void* handle, int /*sensor*/, unsigned* celsius) {
  return give("nvmlDeviceGetTemperature", handle, "celsius", celsius);
}

int nvmlDeviceGetPowerUsage(void* handle, unsigned* milliwatts) {
  return give("nvmlDeviceGetPowerUsage", handle, "milliwatts", milliwatts);
}

// What a GPU of this power has used since the library was loaded, unless it was told otherwise.
int nvmlDeviceGetTotalEnergyConsumption(void* handle, unsigned long long* millijoules) {
  double value = 0;
  int code = ask("nvmlDeviceGetTotalEnergyConsumption", handle, "millijoules", value);
  if (code == kNvmlNotSupported) {
    code = ask("nvmlDeviceGetTotalEnergyConsumption", handle, "milliwatts", value);
    value *= milliseconds() / 1000;
  }
  if (code == kNvmlSuccess) *millijoules = static_cast<unsigned long long>(value);
  return code;
}

int nvmlDeviceGetClockInfo(void* handle, int type, unsigned* megahertz) {
  return give("nvmlDeviceGetClockInfo", handle, type == 1 ? "sm_mhz" : "memory_mhz", megahertz);
}

int nvmlDeviceGetUtilizationRates(void* handle, unsigned* percent) {
  if (const int code = give("nvmlDeviceGetUtilizationRates", handle, "busy", percent);
      code != kNvmlSuccess) {
    return code;
  }
  return give("nvmlDeviceGetUtilizationRates", handle, "memory_busy", percent + 1);
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void* handle, unsigned long long* reasons) {
  double value = 0;
  const int code = ask("nvmlDeviceGetCurrentClocksThrottleReasons", handle, "throttle", value);
  if (code == kNvmlSuccess) *reasons = static_cast<unsigned long long>(value);
  return code;
}

int nvmlEventSetCreate(void** set) {
  *set = &listened;
  return enter_nvml("nvmlEventSetCreate", nullptr);
}

int nvmlEventSetFree(void* /*set*/) {
  listened.clear();
  return kNvmlSuccess;
}

int nvmlDeviceRegisterEvents(void* handle, unsigned long long /*types*/, void* /*set*/) {
  listened.insert(handle);
  return enter_nvml("nvmlDeviceRegisterEvents", handle);
}

int nvmlEventSetWait_v2(void* /*set*/, EventData* data, unsigned /*milliseconds*/) {
  for (void* const handle : listened) {
    const NvmlGpu& gpu = gpu_behind(handle);
    std::size_t number = 0;
    for (const NvmlChange& change : gpu.changes) {
      if (change.xid == 0 || !has_come(change)) continue;
      if (number++ < told_xids[gpu.uuid]) continue;
      ++told_xids[gpu.uuid];
      *data = {handle, 8, static_cast<unsigned long long>(change.xid), 0, 0};
      return kNvmlSuccess;
    }
  }
  return kTimeout;
}

int nvmlGpmQueryDeviceSupport(void* handle, GpmSupport* support) {
  if (support->version != 1) return kNvmlVersionMismatch;
  double count = 0;
  const int code = ask("nvmlGpmQueryDeviceSupport", handle, "gpm", count);
  if (code == kLost) return code;
  support->supported = code == kNvmlSuccess ? 1 : 0;
  return enter_nvml("nvmlGpmQueryDeviceSupport", handle);
}

int nvmlGpmSampleAlloc(GpmSample** sample) {
  *sample = new GpmSample;
  return enter_nvml("nvmlGpmSampleAlloc", nullptr);
}

int nvmlGpmSampleFree(GpmSample* sample) {
  delete sample;
  return kNvmlSuccess;
}

int nvmlGpmSampleGet(void* handle, GpmSample* sample) {
  static int number = 0;
  double count = 0;
  const int code = ask("nvmlGpmSampleGet", handle, "gpm", count);
  if (code == kNvmlSuccess) *sample = {handle, ++number};
  return code;
}

int nvmlGpmMetricsGet(GpmMetricsGet* get) {
  const GpmSample& first = *get->first;
  const GpmSample& second = *get->second;
  if (get->version != 1) return kNvmlVersionMismatch;
  if (first.of == nullptr || first.of != second.of || first.number >= second.number) {
    return kNvmlInvalidArgument;
  }
  for (unsigned i = 0; i < get->count; ++i) {
    const std::string name = "gpm_" + std::to_string(get->metrics[i].id);
    get->metrics[i].code = ask("nvmlGpmMetricsGet", second.of, name.c_str(), get->metrics[i].value);
  }
  return enter_nvml("nvmlGpmMetricsGet", second.of);
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

#include "benches/kit/cuda/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstring>

#include "benches/kit/clock.hpp"
#include "contract/throttle_reason.hpp"

namespace rackproof::kit::cuda {
namespace {

// The part of NVML's stable ABI that is needed, from its reference manual. Functions give 0 for
// success.
using Handle = void*;
constexpr int kSuccess = 0;
constexpr int kClockSm = 1;
constexpr int kClockMemory = 2;
constexpr int kSensorGpu = 0;
constexpr unsigned long long kEventXid = 8;

struct FieldValue {  // nvmlFieldValue_t
  unsigned field;
  unsigned scope;
  long long timestamp;
  long long latency;
  int type;
  int code;
  std::array<unsigned char, 8> value;
};

struct EventData {  // nvmlEventData_t
  Handle device;
  unsigned long long type;
  unsigned long long data;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*handle_by_uuid)(const char*, Handle*) = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*max_clock)(Handle, int, unsigned*) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*power_limit)(Handle, unsigned*) = nullptr;
  int (*energy)(Handle, unsigned long long*) = nullptr;
  int (*throttle)(Handle, unsigned long long*) = nullptr;
  int (*fields)(Handle, int, FieldValue*) = nullptr;
  int (*make_events)(void**) = nullptr;
  int (*free_events)(void*) = nullptr;
  int (*register_events)(Handle, unsigned long long, void*) = nullptr;
  int (*wait_for_event)(void*, EventData*, unsigned) = nullptr;
};

template <class Function>
void find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
}

template <class Raw, class Function, class... Words>
std::optional<double> ask(double unit, Function function, Words... words) {
  Raw value = 0;
  if (function == nullptr || function(words..., &value) != kSuccess) return std::nullopt;
  return static_cast<double>(value) * unit;
}

template <class Raw>
double raw(const FieldValue& value) {
  Raw number{};
  std::memcpy(&number, value.value.data(), sizeof number);
  return static_cast<double>(number);
}

// By nvmlValueType_t.
std::optional<double> number_of(const FieldValue& value) {
  switch (value.type) {
    case 0:
      return raw<double>(value);
    case 1:
      return raw<unsigned>(value);
    case 2:
      return raw<unsigned long>(value);
    case 3:
      return raw<unsigned long long>(value);
    case 4:
      return raw<long long>(value);
    case 5:
      return raw<int>(value);
    case 6:
      return raw<unsigned short>(value);
    default:
      return std::nullopt;
  }
}

}  // namespace

struct Nvml::Library {
  void* library = nullptr;
  Functions call;
  bool started = false;
  Handle device = nullptr;
  void* events = nullptr;
  bool listens = false;
  std::int64_t xids = 0;

  Library() = default;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    if (events != nullptr && call.free_events != nullptr) call.free_events(events);
    if (started && call.shutdown != nullptr) call.shutdown();
    if (library != nullptr) dlclose(library);
  }

  bool start(const std::string& uuid) {
    library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    find(library, "nvmlInit_v2", call.init);
    find(library, "nvmlShutdown", call.shutdown);
    find(library, "nvmlDeviceGetHandleByUUID", call.handle_by_uuid);
    find(library, "nvmlDeviceGetClockInfo", call.clock);
    find(library, "nvmlDeviceGetMaxClockInfo", call.max_clock);
    find(library, "nvmlDeviceGetTemperature", call.temperature);
    find(library, "nvmlDeviceGetPowerUsage", call.power);
    find(library, "nvmlDeviceGetEnforcedPowerLimit", call.power_limit);
    find(library, "nvmlDeviceGetTotalEnergyConsumption", call.energy);
    // One name or the other: NVML has renamed it, and may give up the old one.
    find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", call.throttle);
    if (call.throttle == nullptr) {
      find(library, "nvmlDeviceGetCurrentClocksEventReasons", call.throttle);
    }
    find(library, "nvmlDeviceGetFieldValues", call.fields);
    find(library, "nvmlEventSetCreate", call.make_events);
    find(library, "nvmlEventSetFree", call.free_events);
    find(library, "nvmlDeviceRegisterEvents", call.register_events);
    find(library, "nvmlEventSetWait_v2", call.wait_for_event);
    if (call.init == nullptr || call.handle_by_uuid == nullptr) return false;
    started = call.init() == kSuccess;
    return started && call.handle_by_uuid(uuid.c_str(), &device) == kSuccess;
  }

  bool listen() {
    if (events != nullptr) return listens;
    if (call.make_events == nullptr || call.register_events == nullptr ||
        call.wait_for_event == nullptr || call.make_events(&events) != kSuccess) {
      return false;
    }
    listens = call.register_events(device, kEventXid, events) == kSuccess;
    return listens;
  }
};

Nvml::Nvml(std::unique_ptr<Library> library) : library_(std::move(library)) {}
Nvml::~Nvml() = default;
Nvml::Nvml(Nvml&&) noexcept = default;
Nvml& Nvml::operator=(Nvml&&) noexcept = default;

std::optional<Nvml> Nvml::open(const std::string& uuid) {
  auto library = std::make_unique<Library>();
  if (!library->start(uuid)) return std::nullopt;
  return Nvml(std::move(library));
}

DeviceState Nvml::read(bool energy) const {
  const Functions& call = library_->call;
  const Handle device = library_->device;
  DeviceState state;
  state.seconds = now_seconds();
  state.sm_clock_hz = ask<unsigned>(1e6, call.clock, device, kClockSm);
  state.memory_clock_hz = ask<unsigned>(1e6, call.clock, device, kClockMemory);
  state.temperature_c = ask<unsigned>(1, call.temperature, device, kSensorGpu);
  state.power_w = ask<unsigned>(1e-3, call.power, device);
  if (energy) state.energy_j = energy_j();
  state.throttle_reasons = throttle_reasons();
  return state;
}

std::optional<double> Nvml::energy_j() const {
  return ask<unsigned long long>(1e-3, library_->call.energy, library_->device);
}

std::optional<std::uint64_t> Nvml::throttle_reasons() const {
  unsigned long long reasons = 0;
  const auto call = library_->call.throttle;
  if (call == nullptr || call(library_->device, &reasons) != kSuccess) return std::nullopt;
  return reasons;
}

std::optional<double> Nvml::field(unsigned number, unsigned scope) const {
  FieldValue value{};
  value.field = number;
  value.scope = scope;
  const auto call = library_->call.fields;
  if (call == nullptr || call(library_->device, 1, &value) != kSuccess) return std::nullopt;
  return value.code == kSuccess ? number_of(value) : std::nullopt;
}

std::optional<std::int64_t> Nvml::xids() {
  Library& library = *library_;
  if (!library.listen()) return std::nullopt;
  // A driver that always has one more to tell is not listened to for ever.
  constexpr int kMost = 1000;
  for (int told = 0; told < kMost; ++told) {
    EventData event{};
    if (library.call.wait_for_event(library.events, &event, 0) != kSuccess) break;
    if (event.type == kEventXid) ++library.xids;
  }
  return library.xids;
}

std::optional<double> Nvml::power_limit_w() const {
  return ask<unsigned>(1e-3, library_->call.power_limit, library_->device);
}

std::optional<double> Nvml::max_sm_clock_hz() const {
  return ask<unsigned>(1e6, library_->call.max_clock, library_->device, kClockSm);
}

std::vector<std::string> throttle_names(std::uint64_t reasons) {
  std::vector<std::string> names;
  for (std::size_t bit = 1; bit < 64; ++bit) {
    if ((reasons >> bit & 1) == 0) continue;
    names.push_back(bit < contract::kThrottleReasons.size()
                        ? std::string(contract::kThrottleReasons[bit].nvml_name)
                        : fmt::format("bit{}", bit));
  }
  return names;
}

}  // namespace rackproof::kit::cuda

#include "harness/inventory/gpu_details.hpp"

#include <fmt/format.h>

#include <array>
#include <cstring>
#include <initializer_list>
#include <optional>
#include <utility>

#include "harness/inventory/fact_sheet.hpp"
#include "harness/inventory/nvml.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

using nvml::Handle;
using nvml::Library;

constexpr const char* kNoFunction = "the driver's NVML has no such function";
constexpr std::int64_t kMegahertz = 1'000'000;
constexpr int kClockSm = nvml::kClockSm;
constexpr int kClockMemory = nvml::kClockMemory;
constexpr std::array kComputeModes = {"default", "exclusive thread", "prohibited",
                                      "exclusive process"};
constexpr std::array kFabricStates = {"not supported", "not started", "in progress", "completed"};

/// Asks one GPU and puts what it says, or why it says nothing.
class Asker {
 public:
  Asker(const Library& library, Handle gpu, FactSheet& sheet)
      : library_(library), gpu_(gpu), sheet_(sheet) {}

  /// Calls with the handle first; false, and every one of `facts` has the reason, when it fails.
  template <class... Words>
  bool call(std::initializer_list<const char*> facts, const char* function, Words... words) {
    const std::optional<int> code = this->code(function, words...);
    if (code == nvml::kSuccess) return true;
    refuse(facts, function, code);
    return false;
  }

  /// What the function gives; nothing when the driver has none of that name.
  template <class... Words>
  std::optional<int> code(const char* function, Words... words) const {
    const auto found = library_.find<int (*)(Handle, Words...)>(function);
    if (found == nullptr) return std::nullopt;
    return found(gpu_, words...);
  }

  void refuse(std::initializer_list<const char*> facts, const char* function,
              std::optional<int> code) {
    const std::string why = code ? library_.error_text(*code) : kNoFunction;
    for (const char* fact : facts) sheet_.missing(fact, function, why);
  }

  void text(const char* fact, const char* function) {
    std::array<char, 128> buffer{};
    const auto size = static_cast<unsigned>(buffer.size() - 1);
    if (call({fact}, function, buffer.data(), size)) {
      sheet_.put(fact, std::string(buffer.data()), function);
    }
  }

  void number(const char* fact, const char* function, std::int64_t unit = 1) {
    unsigned value = 0;
    if (call({fact}, function, &value)) {
      sheet_.put(fact, std::int64_t{value} * unit, function);
    }
  }

  void watts(const char* fact, const char* function) {
    unsigned milliwatts = 0;
    if (call({fact}, function, &milliwatts)) sheet_.put(fact, milliwatts * 1e-3, function);
  }

  FactSheet& sheet() { return sheet_; }

 private:
  const Library& library_;
  Handle gpu_;
  FactSheet& sheet_;
};

/// A word for a number, or the number for one that a later driver gave a meaning.
template <std::size_t kCount>
std::string word_of(const std::array<const char*, kCount>& words, int number) {
  const bool known = number >= 0 && static_cast<std::size_t>(number) < kCount;
  return known ? words.at(static_cast<std::size_t>(number)) : std::to_string(number);
}

// All of these are in every driver since R384, but for the firmware of the GPU's own processor,
// which came with R510.
void put_gpu_identity(Asker& gpu) {
  gpu.text(fact_name::kGpuSerial, "nvmlDeviceGetSerial");
  gpu.text(fact_name::kGpuPartNumber, "nvmlDeviceGetBoardPartNumber");
  gpu.text(fact_name::kGpuInforom, "nvmlDeviceGetInforomImageVersion");
  std::array<char, 128> version{};
  if (gpu.call({fact_name::kGpuGspFirmware}, "nvmlDeviceGetGspFirmwareVersion", version.data())) {
    version.back() = '\0';
    gpu.sheet().put(fact_name::kGpuGspFirmware, std::string(version.data()),
                    "nvmlDeviceGetGspFirmwareVersion");
  }
}

// MIG came with R450.
void put_modes(Asker& gpu) {
  int now = 0;
  int pending = 0;
  if (gpu.call({fact_name::kGpuEccPending}, "nvmlDeviceGetEccMode", &now, &pending)) {
    gpu.sheet().put(fact_name::kGpuEccPending, pending != 0, "nvmlDeviceGetEccMode");
  }
  if (gpu.call({fact_name::kGpuMigMode, fact_name::kGpuMigPending}, "nvmlDeviceGetMigMode", &now,
               &pending)) {
    gpu.sheet().put(fact_name::kGpuMigMode, now != 0, "nvmlDeviceGetMigMode");
    gpu.sheet().put(fact_name::kGpuMigPending, pending != 0, "nvmlDeviceGetMigMode");
  }
  int mode = 0;
  if (gpu.call({fact_name::kGpuComputeMode}, "nvmlDeviceGetComputeMode", &mode)) {
    gpu.sheet().put(fact_name::kGpuComputeMode, word_of(kComputeModes, mode),
                    "nvmlDeviceGetComputeMode");
  }
}

void put_power(Asker& gpu) {
  gpu.watts(fact_name::kGpuPowerLimitSetWatts, "nvmlDeviceGetPowerManagementLimit");
  gpu.watts(fact_name::kGpuPowerLimitDefaultWatts, "nvmlDeviceGetPowerManagementDefaultLimit");
  constexpr const char* kBounds = "nvmlDeviceGetPowerManagementLimitConstraints";
  unsigned least = 0;
  unsigned most = 0;
  if (gpu.call({fact_name::kGpuPowerLimitMinWatts, fact_name::kGpuPowerLimitMaxWatts}, kBounds,
               &least, &most)) {
    gpu.sheet().put(fact_name::kGpuPowerLimitMinWatts, least * 1e-3, kBounds);
    gpu.sheet().put(fact_name::kGpuPowerLimitMaxWatts, most * 1e-3, kBounds);
  }
}

void put_clocks(Asker& gpu) {
  constexpr const char* kFunction = "nvmlDeviceGetApplicationsClock";
  constexpr std::array<std::pair<const char*, int>, 2> kClocks = {
      {{fact_name::kGpuSmClockApplicationHertz, kClockSm},
       {fact_name::kGpuMemoryClockApplicationHertz, kClockMemory}}};
  for (const auto& [fact, clock] : kClocks) {
    unsigned megahertz = 0;
    if (gpu.call({fact}, kFunction, clock, &megahertz)) {
      gpu.sheet().put(fact, std::int64_t{megahertz} * kMegahertz, kFunction);
    }
  }
}

// The generation falls while the GPU is idle, the width does not.
void put_gpu_pcie(Asker& gpu) {
  gpu.number(fact_name::kGpuPcieGenerationNow, "nvmlDeviceGetCurrPcieLinkGeneration");
  gpu.number(fact_name::kGpuPcieWidthNow, "nvmlDeviceGetCurrPcieLinkWidth");
}

/// "NVSwitch" or the address of the other GPU. The type came with R470, the address with R440.
std::string remote_end(const Library& library, Handle gpu, unsigned link) {
  constexpr int kGpu = 0;
  constexpr int kSwitch = 2;
  const auto type = library.ask<int>("nvmlDeviceGetNvLinkRemoteDeviceType", gpu, link);
  if (type == kSwitch) return "NVSwitch";
  const auto pci = library.ask<nvml::PciInfo>("nvmlDeviceGetNvLinkRemotePciInfo_v2", gpu, link);
  if (pci) return bus_form(std::string(pci->bus_id, strnlen(pci->bus_id, sizeof pci->bus_id)));
  return type == kGpu ? "GPU" : "unknown";
}

/// Bytes a second of one link in one direction: the field came with CUDA 12.
std::optional<std::int64_t> link_speed(const Library& library, Handle gpu, unsigned link) {
  constexpr unsigned kFieldSpeed = 164;
  constexpr std::int64_t kMegabyte = 1'000'000;
  const auto ask =
      library.find<int (*)(Handle, int, nvml::FieldValue*)>("nvmlDeviceGetFieldValues");
  nvml::FieldValue value{};
  value.field = kFieldSpeed;
  value.scope = link;
  if (ask == nullptr || ask(gpu, 1, &value) != nvml::kSuccess || value.code != nvml::kSuccess ||
      value.type != nvml::kTypeUnsigned) {
    return std::nullopt;
  }
  unsigned megabytes = 0;
  std::memcpy(&megabytes, static_cast<const unsigned char*>(value.value), sizeof megabytes);
  return megabytes * kMegabyte;
}

struct Links {
  std::int64_t count = 0;
  std::int64_t active = 0;
  std::string inactive;
  std::map<std::string, int> ends;
  std::optional<std::int64_t> slowest;
};

Links look_at_links(const Library& library, Handle gpu) {
  constexpr unsigned kMostLinks = 18;  // of Hopper and Blackwell; a link too many is refused
  Links links;
  for (unsigned link = 0; link < kMostLinks; ++link) {
    const auto state = library.ask<int>("nvmlDeviceGetNvLinkState", gpu, link);
    if (!state) continue;
    ++links.count;
    if (*state == 0) {
      links.inactive += (links.inactive.empty() ? "" : " ") + std::to_string(link);
      continue;
    }
    ++links.active;
    ++links.ends[remote_end(library, gpu, link)];
    const auto speed = link_speed(library, gpu, link);
    if (speed && *speed < links.slowest.value_or(INT64_MAX)) links.slowest = speed;
  }
  return links;
}

void put_links(const Library& library, Handle gpu, FactSheet& sheet) {
  constexpr const char* kState = "nvmlDeviceGetNvLinkState";
  const Links links = look_at_links(library, gpu);
  sheet.put(fact_name::kGpuNvlinks, links.count, kState);
  sheet.put(fact_name::kGpuNvlinksActive, links.active, kState);
  if (links.count == 0) return;
  sheet.put(fact_name::kGpuNvlinksInactive, links.inactive.empty() ? "none" : links.inactive,
            kState);
  std::string ends;
  for (const auto& [end, count] : links.ends) {
    ends += fmt::format("{}{} x {}", ends.empty() ? "" : ", ", count, end);
  }
  if (!ends.empty()) sheet.put(fact_name::kGpuNvlinkRemoteEnds, ends, "nvmlDeviceGetNvLinkRemote*");
  if (links.slowest) {
    sheet.put(fact_name::kGpuNvlinkBytesPerSecond, *links.slowest, "nvmlDeviceGetFieldValues 164");
  } else {
    sheet.missing(fact_name::kGpuNvlinkBytesPerSecond, "nvmlDeviceGetFieldValues 164",
                  "NVML does not tell it for this device");
  }
}

// The plain form came with R525, the versioned one with R550.
void put_fabric(const Library& library, Handle gpu, FactSheet& sheet) {
  constexpr const char* kFact = fact_name::kGpuFabricState;
  constexpr const char* kFunction = "nvmlDeviceGetGpuFabricInfoV";
  const auto ask = library.find<int (*)(Handle, nvml::FabricInfo2*)>(kFunction);
  nvml::FabricInfo2 info{};
  info.version = nvml::kFabricVersion2;
  int status = nvml::kSuccess;
  std::optional<int> state;
  if (ask != nullptr && ask(gpu, &info) == nvml::kSuccess) {
    state = info.state;
    status = info.status;
  } else if (const auto old = library.ask<nvml::FabricInfo>("nvmlDeviceGetGpuFabricInfo", gpu)) {
    state = old->state;
    status = old->status;
  }
  if (!state) {
    sheet.missing(kFact, kFunction, "NVML does not tell it for this device");
    return;
  }
  std::string text = word_of(kFabricStates, *state);
  if (*state == nvml::kFabricCompleted && status != nvml::kSuccess) {
    text += ": " + library.error_text(status);
  }
  sheet.put(kFact, text, kFunction);
}

// Of a rack alone: the board of one node has modules and no slots.
void put_place(Asker& gpu) {
  constexpr const char* kFunction = "nvmlDeviceGetPlatformInfo";
  nvml::PlatformInfo2 info{};
  info.version = nvml::kPlatformVersion2;
  if (!gpu.call({fact_name::kGpuModuleId, fact_name::kGpuChassisSerial, fact_name::kGpuChassisSlot,
                 fact_name::kGpuChassisTray, fact_name::kGpuChassisHost},
                kFunction, &info)) {
    return;
  }
  FactSheet& sheet = gpu.sheet();
  sheet.put(fact_name::kGpuModuleId, std::int64_t{info.module}, kFunction);
  const std::string serial(info.chassis_serial,
                           strnlen(info.chassis_serial, sizeof info.chassis_serial));
  if (serial.find_first_not_of(' ') == std::string::npos) {
    for (const char* fact : {fact_name::kGpuChassisSerial, fact_name::kGpuChassisSlot,
                             fact_name::kGpuChassisTray, fact_name::kGpuChassisHost}) {
      sheet.missing(fact, kFunction, "it is in no chassis that has a serial number");
    }
    return;
  }
  sheet.put(fact_name::kGpuChassisSerial, serial, kFunction);
  sheet.put(fact_name::kGpuChassisSlot, std::int64_t{info.slot}, kFunction);
  sheet.put(fact_name::kGpuChassisTray, std::int64_t{info.tray}, kFunction);
  sheet.put(fact_name::kGpuChassisHost, std::int64_t{info.host}, kFunction);
}

// Pages are retired up to Volta; rows are remapped from Ampere (R450) on.
void put_memory_losses(Asker& gpu) {
  constexpr const char* kPages = "nvmlDeviceGetRetiredPages";
  constexpr int kInsufficientSize = 7;
  const std::array<std::pair<const char*, int>, 2> causes = {
      {{fact_name::kGpuRetiredPagesSingle, 0}, {fact_name::kGpuRetiredPagesDouble, 1}}};
  for (const auto& [fact, cause] : causes) {
    std::array<unsigned long long, 64> addresses{};
    unsigned count = addresses.size();
    const auto code = gpu.code(kPages, cause, &count, addresses.data());
    if (code == nvml::kSuccess || code == kInsufficientSize) {
      gpu.sheet().put(fact, std::int64_t{count}, kPages);
    } else {
      gpu.refuse({fact}, kPages, code);
    }
  }
  constexpr const char* kRows = "nvmlDeviceGetRemappedRows";
  unsigned corrected = 0;
  unsigned uncorrected = 0;
  unsigned pending = 0;
  unsigned failed = 0;
  if (gpu.call({fact_name::kGpuRowsRemappedCorrected, fact_name::kGpuRowsRemappedUncorrected,
                fact_name::kGpuRowRemapPending, fact_name::kGpuRowRemapFailed},
               kRows, &corrected, &uncorrected, &pending, &failed)) {
    gpu.sheet().put(fact_name::kGpuRowsRemappedCorrected, std::int64_t{corrected}, kRows);
    gpu.sheet().put(fact_name::kGpuRowsRemappedUncorrected, std::int64_t{uncorrected}, kRows);
    gpu.sheet().put(fact_name::kGpuRowRemapPending, pending != 0, kRows);
    gpu.sheet().put(fact_name::kGpuRowRemapFailed, failed != 0, kRows);
  }
}

}  // namespace

std::map<std::string, model::Fact> gpu_details(const Library& library, Handle handle) {
  FactSheet sheet;
  Asker gpu(library, handle, sheet);
  put_gpu_identity(gpu);
  put_modes(gpu);
  put_power(gpu);
  put_clocks(gpu);
  put_gpu_pcie(gpu);
  put_links(library, handle, sheet);
  put_fabric(library, handle, sheet);
  put_place(gpu);
  put_memory_losses(gpu);
  return sheet.facts();
}

model::Fact confidential_compute(const Library& library) {
  // nvmlConfComputeSystemState_t: R535.
  struct State {
    unsigned environment;
    unsigned feature;
    unsigned developer_tools;
  };
  constexpr const char* kFunction = "nvmlSystemGetConfComputeState";
  const auto ask = library.find<int (*)(State*)>(kFunction);
  if (ask == nullptr) return {std::nullopt, kFunction, kNoFunction};
  State state{};
  if (const int code = ask(&state); code != nvml::kSuccess) {
    return {std::nullopt, kFunction, library.error_text(code)};
  }
  return {contract::Scalar{std::string(state.feature == 0           ? "off"
                                       : state.developer_tools != 0 ? "on, for developers"
                                                                    : "on")},
          kFunction, ""};
}

}  // namespace rackproof::inventory

// The part of the stand-in for NVML that only an inventory asks: identity, limits, links, losses.
#include <algorithm>
#include <cstdio>
#include <cstring>

#include "tests/fakes/fake_nvml.hpp"

namespace {

using namespace rackproof::fakes;

constexpr int kSwitch = 2;

struct PlatformInfo2 {  // nvmlPlatformInfo_v2_t
  unsigned version;
  unsigned char ib_guid[16];
  char chassis_serial[16];
  unsigned char slot;
  unsigned char tray;
  unsigned char host;
  unsigned char peer_type;
  unsigned char module;
};
static_assert(sizeof(PlatformInfo2) == 44);

int give_number(const char* function, void* handle, const char* name, unsigned* to,
                double factor = 1) {
  if (const int code = enter_nvml(function, handle); code != kNvmlSuccess) return code;
  const auto& numbers = gpu_behind(handle).numbers;
  const auto found = numbers.find(name);
  if (found == numbers.end()) return kNvmlNotSupported;
  *to = static_cast<unsigned>(found->second * factor);
  return kNvmlSuccess;
}

int give_byte(const char* function, void* handle, const char* name, unsigned char* to) {
  unsigned number = 0;
  const int code = give_number(function, handle, name, &number);
  *to = static_cast<unsigned char>(number);
  return code;
}

int give_words(const char* function, void* handle, const char* name, char* to, unsigned size) {
  if (const int code = enter_nvml(function, handle); code != kNvmlSuccess) return code;
  const auto& texts = gpu_behind(handle).texts;
  const auto found = texts.find(name);
  if (found == texts.end()) return kNvmlNotSupported;
  if (found->second.size() >= size) return kNvmlInvalidArgument;
  std::memcpy(to, found->second.c_str(), found->second.size() + 1);
  return kNvmlSuccess;
}

// Refuses a link that the GPU has not.
int enter_link(const char* function, void* handle, unsigned link) {
  unsigned links = 0;
  const int code = give_number(function, handle, "nvlinks", &links);
  return code == kNvmlSuccess && link >= links ? kNvmlInvalidArgument : code;
}

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are those of NVML.
extern "C" {

int nvmlDeviceGetSerial(void* handle, char* text, unsigned size) {
  return give_words("nvmlDeviceGetSerial", handle, "serial", text, size);
}

int nvmlDeviceGetBoardPartNumber(void* handle, char* text, unsigned size) {
  return give_words("nvmlDeviceGetBoardPartNumber", handle, "part_number", text, size);
}

int nvmlDeviceGetInforomImageVersion(void* handle, char* text, unsigned size) {
  return give_words("nvmlDeviceGetInforomImageVersion", handle, "inforom", text, size);
}

int nvmlDeviceGetGspFirmwareVersion(void* handle, char* text) {
  return give_words("nvmlDeviceGetGspFirmwareVersion", handle, "gsp_firmware", text, 64);
}

int nvmlDeviceGetComputeMode(void* handle, unsigned* mode) {
  return give_number("nvmlDeviceGetComputeMode", handle, "compute_mode", mode);
}

int nvmlDeviceGetPowerManagementLimit(void* handle, unsigned* milliwatts) {
  return give_number("nvmlDeviceGetPowerManagementLimit", handle, "power_limit_set_watts",
                     milliwatts, 1000);
}

int nvmlDeviceGetPowerManagementDefaultLimit(void* handle, unsigned* milliwatts) {
  return give_number("nvmlDeviceGetPowerManagementDefaultLimit", handle,
                     "power_limit_default_watts", milliwatts, 1000);
}

int nvmlDeviceGetPowerManagementLimitConstraints(void* handle, unsigned* least, unsigned* most) {
  constexpr const char* kFunction = "nvmlDeviceGetPowerManagementLimitConstraints";
  const int code = give_number(kFunction, handle, "power_limit_min_watts", least, 1000);
  if (code != kNvmlSuccess) return code;
  return give_number(kFunction, handle, "power_limit_max_watts", most, 1000);
}

int nvmlDeviceGetApplicationsClock(void* handle, int type, unsigned* megahertz) {
  return give_number("nvmlDeviceGetApplicationsClock", handle,
                     type == 1 ? "sm_clock_application_mhz" : "memory_clock_application_mhz",
                     megahertz);
}

int nvmlDeviceGetCurrPcieLinkGeneration(void* handle, unsigned* generation) {
  return give_number("nvmlDeviceGetCurrPcieLinkGeneration", handle, "pcie_generation_now",
                     generation);
}

int nvmlDeviceGetCurrPcieLinkWidth(void* handle, unsigned* width) {
  return give_number("nvmlDeviceGetCurrPcieLinkWidth", handle, "pcie_width_now", width);
}

int nvmlDeviceGetNvLinkState(void* handle, unsigned link, unsigned* active) {
  const int code = enter_link("nvmlDeviceGetNvLinkState", handle, link);
  *active = gpu_behind(handle).nvlinks_down.contains(static_cast<int>(link)) ? 0 : 1;
  return code;
}

int nvmlDeviceGetNvLinkRemoteDeviceType(void* handle, unsigned link, int* type) {
  *type = kSwitch;
  return enter_link("nvmlDeviceGetNvLinkRemoteDeviceType", handle, link);
}

int nvmlDeviceGetNvLinkRemotePciInfo_v2(void* handle, unsigned link, PciInfo* info) {
  std::memset(info, 0, sizeof *info);
  std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:C0:00.0");
  return enter_link("nvmlDeviceGetNvLinkRemotePciInfo_v2", handle, link);
}

int nvmlDeviceGetPlatformInfo(void* handle, PlatformInfo2* info) {
  constexpr const char* kFunction = "nvmlDeviceGetPlatformInfo";
  constexpr unsigned kVersion2 = static_cast<unsigned>(sizeof(PlatformInfo2)) | (2U << 24U);
  if (info->version != kVersion2) return kNvmlVersionMismatch;
  if (const int code = give_byte(kFunction, handle, "module_id", &info->module)) return code;
  const auto& texts = gpu_behind(handle).texts;
  const auto serial = texts.find("chassis_serial");
  if (serial == texts.end()) return kNvmlSuccess;
  std::memcpy(info->chassis_serial, serial->second.data(),
              std::min(serial->second.size(), sizeof info->chassis_serial));
  give_byte(kFunction, handle, "chassis_slot", &info->slot);
  give_byte(kFunction, handle, "chassis_tray", &info->tray);
  give_byte(kFunction, handle, "chassis_host", &info->host);
  return kNvmlSuccess;
}

int nvmlDeviceGetRetiredPages(void* handle, int cause, unsigned* count,
                              unsigned long long* /*pages*/) {
  return give_number("nvmlDeviceGetRetiredPages", handle,
                     cause == 0 ? "retired_pages_single" : "retired_pages_double", count);
}

int nvmlDeviceGetRemappedRows(void* handle, unsigned* corrected, unsigned* uncorrected,
                              unsigned* pending, unsigned* failed) {
  constexpr const char* kFunction = "nvmlDeviceGetRemappedRows";
  const int code = give_number(kFunction, handle, "rows_remapped_uncorrected", uncorrected);
  if (code != kNvmlSuccess) return code;
  const auto or_none = [&](const char* name, unsigned* to) {
    *to = 0;
    give_number(kFunction, handle, name, to);
  };
  or_none("rows_remapped_corrected", corrected);
  or_none("row_remap_pending", pending);
  or_none("row_remap_failed", failed);
  return kNvmlSuccess;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

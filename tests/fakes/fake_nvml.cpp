// A libnvidia-ml.so.1 that plays a machine out of the environment variable FAKE_NVML: words
// "key=value" separated by blanks.
//   gpus=N        how many devices NVML counts (0)
//   name=TEXT     their name, '_' for a blank (Fake_H200)
//   lost=I        device I is lost
//   mig=I:M       device I is in MIG mode with M instances
//   init=CODE     nvmlInit_v2 gives this error
//   first=BUS     PCI bus number of device 0 (7); the next ones follow
//   host=TEXT     in every UUID (node0)
// Only what the inventory asks for is here, with the layouts of the real library; power and the
// like are left out on purpose, as an old driver leaves functions out.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <string>

namespace {

constexpr int kSuccess = 0;
constexpr int kInvalidArgument = 2;
constexpr int kNotFound = 6;
constexpr int kGpuIsLost = 15;

std::string value_of(const std::string& key, const std::string& otherwise) {
  const char* const text = std::getenv("FAKE_NVML");
  std::istringstream words(text == nullptr ? "" : text);
  for (std::string word; words >> word;) {
    if (word.rfind(key + "=", 0) == 0) return word.substr(key.size() + 1);
  }
  return otherwise;
}

int number_of(const std::string& key, int otherwise) {
  const std::string text = value_of(key, "");
  return text.empty() ? otherwise : std::atoi(text.c_str());
}

struct Device {
  int index = 0;
  int instance = -1;
};

Device devices[64];
Device instances[64][8];

int mig_instances(int index) {
  const std::string text = value_of("mig", "");
  if (text.empty() || std::atoi(text.c_str()) != index) return 0;
  const std::size_t colon = text.find(':');
  return colon == std::string::npos ? 0 : std::atoi(text.c_str() + colon + 1);
}

bool is_mig(int index) {
  const std::string text = value_of("mig", "");
  return !text.empty() && std::atoi(text.c_str()) == index;
}

int give_text(const std::string& text, char* to, unsigned size) {
  if (text.size() >= size) return kInvalidArgument;
  std::memcpy(to, text.c_str(), text.size() + 1);
  return kSuccess;
}

struct PciInfo {
  char bus_id_legacy[16];
  unsigned domain;
  unsigned bus;
  unsigned device;
  unsigned pci_device_id;
  unsigned pci_sub_system_id;
  char bus_id[32];
};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): the names are those of NVML.
extern "C" {

int nvmlInit_v2() { return number_of("init", kSuccess); }
int nvmlShutdown() { return kSuccess; }

const char* nvmlErrorString(int code) {
  if (code == kGpuIsLost) return "GPU is lost";
  return code == 9 ? "Driver Not Loaded" : "Unknown Error";
}

int nvmlSystemGetDriverVersion(char* text, unsigned size) {
  return give_text("580.65.06", text, size);
}

int nvmlSystemGetCudaDriverVersion_v2(int* version) {
  *version = 13000;
  return kSuccess;
}

int nvmlDeviceGetCount_v2(unsigned* count) {
  *count = static_cast<unsigned>(number_of("gpus", 0));
  return kSuccess;
}

int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  if (index >= static_cast<unsigned>(number_of("gpus", 0))) return kInvalidArgument;
  if (number_of("lost", -1) == static_cast<int>(index)) return kGpuIsLost;
  devices[index].index = static_cast<int>(index);
  *handle = &devices[index];
  return kSuccess;
}

int nvmlDeviceGetMigMode(void* handle, int* now, int* pending) {
  *now = *pending = is_mig(static_cast<Device*>(handle)->index) ? 1 : 0;
  return kSuccess;
}

int nvmlDeviceGetMaxMigDeviceCount(void*, unsigned* count) {
  *count = 7;
  return kSuccess;
}

int nvmlDeviceGetMigDeviceHandleByIndex(void* handle, unsigned at, void** instance) {
  const int index = static_cast<Device*>(handle)->index;
  if (static_cast<int>(at) >= mig_instances(index)) return kNotFound;
  instances[index][at] = {index, static_cast<int>(at)};
  *instance = &instances[index][at];
  return kSuccess;
}

int nvmlDeviceGetUUID(void* handle, char* text, unsigned size) {
  const auto* device = static_cast<Device*>(handle);
  const std::string tail = value_of("host", "node0") + "-" + std::to_string(device->index);
  return give_text(
      device->instance < 0 ? "GPU-" + tail : "MIG-" + tail + "-" + std::to_string(device->instance),
      text, size);
}

int nvmlDeviceGetName(void* handle, char* text, unsigned size) {
  std::string name = value_of("name", "Fake_H200");
  for (char& letter : name) letter = letter == '_' ? ' ' : letter;
  if (static_cast<Device*>(handle)->instance >= 0) name += " MIG 1g.18gb";
  return give_text(name, text, size);
}

int nvmlDeviceGetPciInfo_v3(void* handle, PciInfo* info) {
  std::memset(info, 0, sizeof *info);
  const int bus = number_of("first", 7) + static_cast<Device*>(handle)->index;
  std::snprintf(info->bus_id, sizeof info->bus_id, "00000000:%02X:00.0",
                static_cast<unsigned>(bus) & 0xffU);
  return kSuccess;
}

int nvmlDeviceGetCudaComputeCapability(void* handle, int* major, int* minor) {
  if (static_cast<Device*>(handle)->instance >= 0) return kNotFound;
  *major = 9;
  *minor = 0;
  return kSuccess;
}

int nvmlDeviceGetMemoryInfo(void*, unsigned long long* memory) {
  memory[0] = 150'754'820'096ULL;
  memory[1] = 150'000'000'000ULL;
  memory[2] = memory[0] - memory[1];
  return kSuccess;
}

int nvmlDeviceGetMemoryBusWidth(void*, unsigned* bits) {
  *bits = 6144;
  return kSuccess;
}

int nvmlDeviceGetMaxClockInfo(void*, int type, unsigned* megahertz) {
  *megahertz = type == 2 ? 3201 : 1980;
  return kSuccess;
}

int nvmlDeviceGetNumGpuCores(void*, unsigned* cores) {
  *cores = 16896;
  return kSuccess;
}

int nvmlDeviceGetEccMode(void*, int* now, int* pending) {
  *now = *pending = 1;
  return kSuccess;
}

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

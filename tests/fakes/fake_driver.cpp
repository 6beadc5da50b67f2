// A stand-in for libcuda.so.1: it writes into the file FAKE_DRIVER_LOG what it is asked that a test
// wants to know of, and has no device for the CUDA runtime. Asked itself, it shows a board and an
// instance of MIG.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace {

constexpr int kNotInitialised = 3;
constexpr int kNoDevice = 100;
constexpr int kInvalidDevice = 101;
constexpr int kDevices = 2;
constexpr int kMig = 1;
constexpr int kWithStatus = 12000;

void log(const char* call) {
  const char* const path = std::getenv("FAKE_DRIVER_LOG");
  if (path == nullptr) return;
  std::FILE* const file = std::fopen(path, "a");
  if (file == nullptr) return;
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  (void)std::fprintf(file, "%s %s\n", call, visible == nullptr ? "(unset)" : visible);
  (void)std::fclose(file);
}

void* find(std::string_view name);

int not_played() { return kNotInitialised; }

int uuid(unsigned char* bytes, int device, bool of_instance) {
  if (device < 0 || device >= kDevices) return kInvalidDevice;
  std::memset(bytes, 0x11 * (device + 1), 16);
  if (of_instance && device == kMig) bytes[0] = 0xAB;
  return 0;
}

}  // namespace

extern "C" {

int cuInit(unsigned) {
  log("cuInit");
  return kNoDevice;
}

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return 0;
}

int cuDeviceGet(int* device, int index) {
  if (index < 0 || index >= kDevices) return kInvalidDevice;
  *device = index;
  return 0;
}

int cuDeviceGetUuid(unsigned char* bytes, int device) { return uuid(bytes, device, false); }
int cuDeviceGetUuid_v2(unsigned char* bytes, int device) { return uuid(bytes, device, true); }

// The runtime looks everything up by these before it starts the driver, and takes one that lacks a
// function for too old. The first form has no status.
int cuGetProcAddress(const char* name, void** function, int, unsigned long long) {
  *function = find(name);
  return 0;
}

int cuGetProcAddress_v2(const char* name, void** function, int version, unsigned long long,
                        int* status) {
  *function = find(name);
  if (std::strcmp(name, "cuGetProcAddress") == 0 && version < kWithStatus) {
    *function = reinterpret_cast<void*>(cuGetProcAddress);
  }
  if (status != nullptr) *status = 0;
  return 0;
}

}  // extern "C"

namespace {

void* find(std::string_view name) {
  if (name == "cuInit") return reinterpret_cast<void*>(cuInit);
  if (name == "cuDriverGetVersion") return reinterpret_cast<void*>(cuDriverGetVersion);
  if (name == "cuGetProcAddress") return reinterpret_cast<void*>(cuGetProcAddress_v2);
  return reinterpret_cast<void*>(not_played);
}

}  // namespace

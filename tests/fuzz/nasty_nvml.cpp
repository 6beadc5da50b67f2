// A libnvidia-ml.so.1 that says whatever the fuzzer wants: errors, absurd counts, texts without an
// end. It keeps to one rule only: it writes no further than it was told it may.
#include "tests/fuzz/nasty_nvml.hpp"

#include <algorithm>
#include <cstring>

namespace {

const std::uint8_t* rest = nullptr;
std::size_t left = 0;

std::uint8_t next() {
  if (left == 0) return 0;
  --left;
  return *rest++;
}

// Mostly success: a library that only fails is not looked at for long.
int code() {
  const std::uint8_t byte = next();
  return byte < 224 ? 0 : byte;
}

void fill(void* to, std::size_t size) {
  const std::size_t given = std::min(size, left);
  if (given > 0) std::memcpy(to, rest, given);
  std::memset(static_cast<char*>(to) + given, 0, size - given);
  rest += given;
  left -= given;
}

// All of the buffer, with or without an end to the text.
int give_text(char* to, unsigned size) {
  const int answer = code();
  if (answer == 0 && size > 0) fill(to, next() % size + 1U);
  return answer;
}

template <class Raw>
int give(Raw* to) {
  const int answer = code();
  if (answer == 0) fill(to, sizeof *to);
  return answer;
}

struct PciInfo {
  char bytes[16 + 5 * 4 + 32];
};
struct Memory {
  unsigned long long bytes[3];
};
struct FabricInfo {
  unsigned char bytes[28];
};

}  // namespace

// NOLINTBEGIN(readability-identifier-naming): NVML's own names
extern "C" {

void nasty_nvml_answers(const std::uint8_t* data, std::size_t size) {
  rest = data;
  left = size;
}

int nvmlInit_v2() { return code(); }
int nvmlShutdown() { return 0; }
const char* nvmlErrorString(int error) { return error % 2 == 0 ? nullptr : "an \x01 error\xff"; }
int nvmlSystemGetDriverVersion(char* to, unsigned size) { return give_text(to, size); }
int nvmlSystemGetCudaDriverVersion_v2(int* to) { return give(to); }
// One byte most of the time: a thousand devices take too long to think up.
int nvmlDeviceGetCount_v2(unsigned* to) {
  const int answer = code();
  *to = next();
  if (*to == 255) fill(to, sizeof *to);
  return answer;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned /*index*/, void** to) {
  *to = nullptr;
  return left == 0 ? 6 : code();
}
int nvmlDeviceGetMigDeviceHandleByIndex(void* /*gpu*/, unsigned /*index*/, void** to) {
  *to = nullptr;
  return left == 0 ? 6 : code();
}
int nvmlDeviceGetUUID(void* /*gpu*/, char* to, unsigned size) { return give_text(to, size); }
int nvmlDeviceGetName(void* /*gpu*/, char* to, unsigned size) { return give_text(to, size); }
int nvmlDeviceGetVbiosVersion(void* /*gpu*/, char* to, unsigned size) {
  return give_text(to, size);
}
int nvmlDeviceGetCudaComputeCapability(void* /*gpu*/, int* major, int* minor) {
  fill(major, sizeof *major);
  return give(minor);
}
int nvmlDeviceGetPciInfo_v3(void* /*gpu*/, PciInfo* to) { return give(to); }
int nvmlDeviceGetMemoryInfo(void* /*gpu*/, Memory* to) { return give(to); }
int nvmlDeviceGetMemoryBusWidth(void* /*gpu*/, unsigned* to) { return give(to); }
int nvmlDeviceGetMaxClockInfo(void* /*gpu*/, int /*kind*/, unsigned* to) { return give(to); }
int nvmlDeviceGetNumGpuCores(void* /*gpu*/, unsigned* to) { return give(to); }
int nvmlDeviceGetMaxPcieLinkGeneration(void* /*gpu*/, unsigned* to) { return give(to); }
int nvmlDeviceGetMaxPcieLinkWidth(void* /*gpu*/, unsigned* to) { return give(to); }
int nvmlDeviceGetEnforcedPowerLimit(void* /*gpu*/, unsigned* to) { return give(to); }
int nvmlDeviceGetEccMode(void* /*gpu*/, int* now, int* pending) {
  fill(pending, sizeof *pending);
  return give(now);
}
int nvmlDeviceGetPersistenceMode(void* /*gpu*/, int* to) { return give(to); }
int nvmlDeviceGetMigMode(void* /*gpu*/, int* now, int* pending) {
  fill(pending, sizeof *pending);
  return give(now);
}
int nvmlDeviceGetMaxMigDeviceCount(void* /*gpu*/, unsigned* to) {
  const int answer = code();
  *to = next();
  return answer;
}
int nvmlDeviceGetGpuFabricInfo(void* /*gpu*/, FabricInfo* to) { return give(to); }

}  // extern "C"
// NOLINTEND(readability-identifier-naming)

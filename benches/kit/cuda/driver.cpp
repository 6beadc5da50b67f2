#include "benches/kit/cuda/driver.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

namespace rackproof::kit::cuda {
namespace {

// The part of the driver's stable binary interface that is used. Functions give 0 for success.
constexpr int kSuccess = 0;
using Ordinal = int;
using VersionOf = int (*)(int*);
using DeviceAt = int (*)(Ordinal*, int);
using UuidOf = int (*)(UuidBytes*, Ordinal);

// Never closed: the runtime has the same library open, and what of it runs stays.
void* library() {
  static void* const kLibrary = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  return kLibrary;
}

template <class Function>
Function find(const char* name) {
  return library() == nullptr ? nullptr : reinterpret_cast<Function>(dlsym(library(), name));
}

std::optional<UuidBytes> ask(const char* name, Ordinal device) {
  const auto uuid = find<UuidOf>(name);
  UuidBytes bytes{};
  if (uuid == nullptr || uuid(&bytes, device) != kSuccess) return std::nullopt;
  return bytes;
}

}  // namespace

bool driver_is_here() { return library() != nullptr; }

std::optional<int> driver_version() {
  const auto ask_version = find<VersionOf>("cuDriverGetVersion");
  int version = 0;
  if (ask_version == nullptr || ask_version(&version) != kSuccess || version <= 0) {
    return std::nullopt;
  }
  return version;
}

std::string uuid_text(const UuidBytes& board, const UuidBytes& given) {
  std::string text = board == given ? "GPU" : "MIG";
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", given[i]);
  }
  return text;
}

std::optional<std::string> uuid_of(int index) {
  const auto device_at = find<DeviceAt>("cuDeviceGet");
  Ordinal device = 0;
  if (device_at == nullptr || device_at(&device, index) != kSuccess) return std::nullopt;
  // The first form of the call knows of no MIG.
  const auto board = ask("cuDeviceGetUuid", device);
  const auto given = ask("cuDeviceGetUuid_v2", device);
  if (!board || !given) return std::nullopt;
  return uuid_text(*board, *given);
}

}  // namespace rackproof::kit::cuda

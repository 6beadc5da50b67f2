#include "benches/kit/nccl/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <string>

#include "benches/kit/errors.hpp"

namespace rackproof::kit::nccl {
namespace {

// The interface of NCCL 2; its own name for it does not change with the minor version.
constexpr const char* kName = RACKPROOF_NCCL_LIBRARY;

constexpr std::array kFunctions = {"ncclAllGather",
                                   "ncclAllReduce",
                                   "ncclAlltoAll",
                                   "ncclBroadcast",
                                   "ncclCommAbort",
                                   "ncclCommDeregister",
                                   "ncclCommDestroy",
                                   "ncclCommGetAsyncError",
                                   "ncclCommInitRankConfig",
                                   "ncclCommInitRankScalable",
                                   "ncclCommRegister",
                                   "ncclCommSplit",
                                   "ncclCommWindowRegister",
                                   "ncclCommWindowDeregister",
                                   "ncclGetErrorString",
                                   "ncclGetLastError",
                                   "ncclGetUniqueId",
                                   "ncclGetVersion",
                                   "ncclGroupEnd",
                                   "ncclGroupStart",
                                   "ncclMemAlloc",
                                   "ncclMemFree",
                                   "ncclRecv",
                                   "ncclReduce",
                                   "ncclReduceScatter",
                                   "ncclSend"};

struct Loaded {
  void* library = nullptr;
  std::string problem;  // why it is not there, or not usable
};

// As the system finds it, or from where it was when this was built. Never closed: its kernels are
// registered with the driver, and the process ends soon after.
Loaded load() {
  Loaded loaded;
  loaded.library = dlopen(kName, RTLD_NOW | RTLD_LOCAL);
  if (loaded.library == nullptr) {
    loaded.problem = fmt::format("NCCL cannot be loaded: {}", dlerror());
    const std::string where_built = fmt::format("{}/{}", RACKPROOF_NCCL_FOLDER, kName);
    loaded.library = dlopen(where_built.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (loaded.library == nullptr) return loaded;
  loaded.problem.clear();
  for (const char* name : kFunctions) {
    if (dlsym(loaded.library, name) != nullptr) continue;
    loaded.problem = fmt::format("{} has no {}: it is too old", kName, name);
    break;
  }
  return loaded;
}

const Loaded& loaded() {
  static const Loaded kLoaded = load();
  return kLoaded;
}

}  // namespace

bool library_is_here() { return loaded().problem.empty(); }

void require_library() {
  if (!library_is_here()) throw Unavailable(loaded().problem);
}

void* find_in_library(const char* name) {
  return loaded().library == nullptr ? nullptr : dlsym(loaded().library, name);
}

}  // namespace rackproof::kit::nccl

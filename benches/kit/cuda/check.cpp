#include "benches/kit/cuda/check.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "benches/kit/errors.hpp"

namespace rackproof::kit::cuda {
namespace {

// The name within the tree: where the builder's copy of it lay tells nobody anything.
std::string_view short_name(std::string_view file) {
  const auto at = file.rfind("benches/");
  return at == std::string_view::npos ? file : file.substr(at);
}

std::string kernels_do_not_fit() {
  constexpr const char* kText = "this program was built without kernels for this device";
  int device = 0;
  int major = 0;
  int minor = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
      cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
    return kText;
  }
  return fmt::format("{}, of compute capability {}.{}", kText, major, minor);
}

}  // namespace

bool is_sticky(cudaError_t code) {
  switch (code) {
    case cudaErrorECCUncorrectable:
    case cudaErrorNvlinkUncorrectable:
#if CUDART_VERSION >= 13000
    case cudaErrorContained:
#endif
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
      return true;
    default:
      return false;
  }
}

bool is_of_another_device(cudaError_t code) {
  return code == cudaErrorNoKernelImageForDevice || code == cudaErrorInvalidDeviceFunction ||
         code == cudaErrorUnsupportedPtxVersion;
}

bool context_is_lost() {
  // The first call gives back and clears an error of an earlier call; one that stays is the
  // context's, and comes back from any other. Not from one that waits: what is queued may wait for
  // the host, and while a stream captures such a call is refused on a sound device too.
  (void)cudaGetLastError();
  std::size_t free = 0;
  std::size_t total = 0;
  const cudaError_t now = cudaMemGetInfo(&free, &total);
  (void)cudaGetLastError();
  return is_sticky(now);
}

void fail(const char* call, const char* file, int line, const char* name, const char* meaning) {
  int device = -1;
  const bool known = cudaGetDevice(&device) == cudaSuccess;
  const bool lost = context_is_lost();
  throw DeviceError(fmt::format("{} at {}:{}{}: {} ({}){}", call, short_name(file), line,
                                known ? fmt::format(" on device {}", device) : "", name, meaning,
                                lost ? "; the context is lost, nothing more can run in it" : ""));
}

void require(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  // The device is as sound as ever: it is the program that does not fit.
  if (is_of_another_device(code)) {
    throw Unavailable(fmt::format("{}: {}", kernels_do_not_fit(), cudaGetErrorName(code)));
  }
  fail(call, file, line, cudaGetErrorName(code), cudaGetErrorString(code));
}

}  // namespace rackproof::kit::cuda

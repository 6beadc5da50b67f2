#include "benches/kit/nccl/check.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <string_view>

#include "benches/kit/errors.hpp"

namespace rackproof::kit::nccl {

const char* name_of(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "ncclSuccess";
    case ncclUnhandledCudaError:
      return "ncclUnhandledCudaError";
    case ncclSystemError:
      return "ncclSystemError";
    case ncclInternalError:
      return "ncclInternalError";
    case ncclInvalidArgument:
      return "ncclInvalidArgument";
    case ncclInvalidUsage:
      return "ncclInvalidUsage";
    case ncclRemoteError:
      return "ncclRemoteError";
    case ncclInProgress:
      return "ncclInProgress";
    case ncclNumResults:
      break;
  }
  return "an unknown result";
}

std::string describe(ncclResult_t result, const char* call, const char* file, int line) {
  std::string_view place = file;
  const auto at = place.rfind("benches/");
  if (at != std::string_view::npos) place.remove_prefix(at);
  int device = -1;
  const bool known = cudaGetDevice(&device) == cudaSuccess;
  const char* last = ncclGetLastError(nullptr);
  const std::string said =
      last == nullptr || *last == '\0' ? "" : fmt::format("; NCCL says: {}", last);
  return fmt::format("{} at {}:{}{}: {} ({}){}", call, place, line,
                     known ? fmt::format(" on device {}", device) : "", name_of(result),
                     ncclGetErrorString(result), said);
}

void require(ncclResult_t result, const char* call, const char* file, int line) {
  if (result == ncclSuccess) return;
  const std::string text = describe(result, call, file, line);
  // Another member ended, or the network between them is gone.
  if (result == ncclRemoteError) throw GaveUp(text);
  throw DeviceError(text);
}

}  // namespace rackproof::kit::nccl

#include "benches/kit/cuda/check.hpp"

#include <fmt/format.h>

#include <string_view>

#include "benches/kit/errors.hpp"

namespace rackproof::kit::cuda {
namespace {

// The name within the tree: where the builder's copy of it lay tells nobody anything.
std::string_view short_name(std::string_view file) {
  const auto at = file.rfind("benches/");
  return at == std::string_view::npos ? file : file.substr(at);
}

}  // namespace

bool context_is_lost() {
  // The first call gives back and clears an error of an earlier call; one that stays is the
  // context's.
  (void)cudaGetLastError();
  const cudaError_t now = cudaDeviceSynchronize();
  (void)cudaGetLastError();
  return now != cudaSuccess && cudaDeviceSynchronize() != cudaSuccess;
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
  fail(call, file, line, cudaGetErrorName(code), cudaGetErrorString(code));
}

}  // namespace rackproof::kit::cuda

#include "benches/kit/cuda/device.hpp"

#include <cuda_runtime_api.h>

#include <catch2/catch.hpp>

#include "benches/kit/cuda/check.hpp"
#include "benches/kit/errors.hpp"
#include "tests/unit/kit/lines.hpp"

using namespace rackproof::kit;
using namespace rackproof::kit::cuda;

TEST_CASE("the reason why there is no device is said in words") {
  CHECK(no_device_reason(cudaErrorInsufficientDriver, false, 0, 13000) ==
        "no CUDA driver: libcuda.so.1 not found");
  CHECK(no_device_reason(cudaErrorInsufficientDriver, true, 12040, 13000) ==
        "the CUDA driver is too old: it knows CUDA 12.4, this program needs 13.0");
  CHECK(has(no_device_reason(cudaErrorStubLibrary, true, 0, 13000), "stub"));
  CHECK(has(no_device_reason(cudaErrorNoDevice, true, 13000, 13000), "finds none"));
}

TEST_CASE("a driver in trouble is no missing device") {
  for (const int code : {cudaErrorSystemNotReady, cudaErrorUnknown, cudaErrorInitializationError}) {
    CHECK(no_device_reason(code, true, 13000, 13000).empty());
  }
}

TEST_CASE("a program built for other devices is not available here, and no device is blamed") {
  for (const auto code : {cudaErrorNoKernelImageForDevice, cudaErrorInvalidDeviceFunction,
                          cudaErrorUnsupportedPtxVersion}) {
    try {
      require(code, "launch", "/anywhere/benches/copy/kernels.cu", 12);
      FAIL("nothing was thrown");
    } catch (const Unavailable& error) {
      CHECK(has(error.what(), "built without kernels for this device"));
    }
  }
  CHECK_THROWS_AS(require(cudaErrorLaunchFailure, "launch", "", 1), DeviceError);
}

TEST_CASE("an error names call, place, error and meaning") {
  try {
    require(cudaErrorInvalidValue, "cudaMalloc(&p, 0)", "/anywhere/benches/copy/cuda.cpp", 12);
    FAIL("nothing was thrown");
  } catch (const DeviceError& error) {
    const std::string what = error.what();
    CHECK(has(what, "cudaMalloc(&p, 0) at benches/copy/cuda.cpp:12"));
    CHECK(has(what, "cudaErrorInvalidValue"));
    CHECK_FALSE(has(what, "anywhere"));
  }
  CHECK_NOTHROW(require(cudaSuccess, "", "", 0));
}

TEST_CASE("only errors of the context make it a lost one") {
  for (const cudaError_t code : {cudaErrorIllegalAddress, cudaErrorLaunchFailure,
                                 cudaErrorECCUncorrectable, cudaErrorNvlinkUncorrectable}) {
    CHECK(is_sticky(code));
  }
  // What a sound device says while a stream captures, or of a wrong argument, or too little memory.
  for (const cudaError_t code :
       {cudaSuccess, cudaErrorStreamCaptureUnsupported, cudaErrorStreamCaptureInvalidated,
        cudaErrorInvalidValue, cudaErrorMemoryAllocation, cudaErrorNotReady}) {
    CHECK_FALSE(is_sticky(code));
  }
}

TEST_CASE("the memory peak is clock times width times two") {
  Device device;
  CHECK(device.memory_peak() == 0);
  device.memory_clock_hz = 3.201e9;
  device.memory_bus_bits = 6144;
  CHECK(device.memory_peak() == Approx(4.917e12).epsilon(1e-3));
}

TEST_CASE("versions are told as people write them") {
  CHECK(version_text(13000) == "13.0");
  CHECK(version_text(12080) == "12.8");
  CHECK(libraries().contains("cuda-runtime"));
}

TEST_CASE("the record of a device holds what its identity depends on") {
  Device device;
  device.uuid = "GPU-1";
  device.name = "NVIDIA H200";
  device.major = 9;
  const auto record = to_record(device);
  CHECK(record.id == "GPU-1");
  CHECK(std::get<std::string>(record.facts.at("compute_capability")) == "9.0");
}

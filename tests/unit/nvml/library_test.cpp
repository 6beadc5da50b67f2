#include "harness/nvml/library.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace rackproof::nvml {

TEST_CASE("a library that is absent, is another one or does not start says so") {
  CHECK(Library("/nowhere/libnvidia-ml.so.1").problem().find("/nowhere") != std::string::npos);
  CHECK(Library("libm.so.6").problem() == "libm.so.6: it has no function nvmlInit_v2");
  setenv("FAKE_NVML", "init=9", 1);
  CHECK(Library(RACKPROOF_FAKE_NVML).problem() == "nvmlInit_v2: Driver Not Loaded");
}

TEST_CASE("a library that answers is asked for values and texts") {
  setenv("FAKE_NVML", "gpus=2", 1);
  const Library library(RACKPROOF_FAKE_NVML);
  REQUIRE(library.problem().empty());
  CHECK(library.ask<unsigned>("nvmlDeviceGetCount_v2") == 2U);
  CHECK(library.text("nvmlSystemGetDriverVersion") == "580.65.06");
  CHECK_FALSE(library.ask<unsigned>("nvmlNoSuchFunction"));
  CHECK_FALSE(library.text("nvmlNoSuchFunction"));
  CHECK(library.error_text(15) == "GPU is lost");
}

TEST_CASE("an error gives no value") {
  setenv("FAKE_NVML", "gpus=1", 1);
  const Library library(RACKPROOF_FAKE_NVML);
  Handle handle = nullptr;
  const auto at = library.find<int (*)(unsigned, Handle*)>("nvmlDeviceGetHandleByIndex_v2");
  REQUIRE(at != nullptr);
  CHECK(at(1, &handle) != kSuccess);
  REQUIRE(at(0, &handle) == kSuccess);
  CHECK_FALSE(library.ask<unsigned>("nvmlDeviceGetEnforcedPowerLimit", handle));
  CHECK(library.ask<unsigned>("nvmlDeviceGetNumGpuCores", handle) == 16896U);
}

}  // namespace rackproof::nvml

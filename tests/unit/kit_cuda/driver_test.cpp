#include "benches/kit/cuda/driver.hpp"

#include <dlfcn.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

using namespace rackproof::kit::cuda;

namespace {

// By its soname it is what libcuda.so.1 is from now on.
const bool kPlayed = dlopen(FAKE_DRIVER, RTLD_NOW | RTLD_LOCAL) != nullptr;

}  // namespace

TEST_CASE("an instance of MIG has a UUID of its own, a board the same in both forms") {
  REQUIRE(kPlayed);
  CHECK(uuid_of(0) == "GPU-11111111-1111-1111-1111-111111111111");
  CHECK(uuid_of(1) == "MIG-ab222222-2222-2222-2222-222222222222");
  CHECK(uuid_of(2) == std::nullopt);
}

TEST_CASE("the version of the driver is told without starting it") {
  REQUIRE(kPlayed);
  const auto log = std::filesystem::temp_directory_path() / "rackproof-driver-test";
  std::filesystem::remove(log);
  setenv("FAKE_DRIVER_LOG", log.c_str(), 1);
  CHECK(driver_is_here());
  CHECK(driver_version() == 13000);
  CHECK_FALSE(std::filesystem::exists(log));
}

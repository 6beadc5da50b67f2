#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <cstdio>

#include "benches/kit/cuda/device.hpp"
#include "benches/kit/errors.hpp"

// Tests on a device; without one they are skipped, and say so.
int main(int argc, char** argv) {
  constexpr int kSkipped = 77;
  try {
    const auto device = rackproof::kit::cuda::select("");
    (void)std::printf("on %s, %s\n", device.name.c_str(), device.uuid.c_str());
  } catch (const rackproof::kit::Unavailable& error) {
    (void)std::printf("skipped: %s\n", error.what());
    return kSkipped;
  }
  return Catch::Session().run(argc, argv);
}

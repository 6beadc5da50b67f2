#include "benches/kit/cuda/nvml.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace rackproof::kit::cuda;

namespace {

// What the state of the device says, by a library at this path; a library that was loaded from
// anywhere is the one that is found by its name. Text, for another process to read.
std::string state_by(const char* path) {
  if (dlopen(path, RTLD_NOW | RTLD_LOCAL) == nullptr) return dlerror();
  const auto nvml = Nvml::open("GPU-0");
  if (!nvml || Nvml::open("GPU-7")) return "the wrong devices";
  const DeviceState state = nvml->read(true);
  return fmt::format("{} {} {} {}", state.throttle_reasons.value_or(0), state.power_w.value_or(0),
                     state.sm_clock_hz.value_or(0), state.temperature_c.value_or(0));
}

// In a process of its own: the stand-ins have one name, and one that was loaded may stay.
std::string state_in_child(const char* path) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    const std::string said = state_by(path);
    _exit(write(ends[1], said.data(), said.size()) == std::ssize(said) ? 0 : 1);
  }
  close(ends[1]);
  std::string said(200, ' ');
  said.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read(ends[0], said.data(), 200))));
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return said;
}

// What the stand-in for NVML plays.
class Play {
 public:
  Play() {
    const int file = mkstemp(path_.data());
    REQUIRE(file >= 0);
    constexpr std::string_view kText =
        R"({"hosts": [{"match": "*", "gpus": 1, "device": {"name": "A", "uuid": "GPU-{index}",
            "state": {"milliwatts": 250500, "celsius": 55, "sm_mhz": 1980, "throttle": 4}}}]})";
    CHECK(write(file, kText.data(), kText.size()) == std::ssize(kText));
    close(file);
    setenv("FAKE_NVML_FILE", path_.c_str(), 1);
  }
  ~Play() {
    unsetenv("FAKE_NVML_FILE");
    unlink(path_.c_str());
  }
  Play(const Play&) = delete;
  Play& operator=(const Play&) = delete;

 private:
  std::string path_ = "/tmp/nvml-XXXXXX";
};

}  // namespace

TEST_CASE("the state of a device is read, its throttle reasons by either name") {
  const Play play;
  CHECK(state_in_child(FAKE_NVML) == "4 250.5 1980000000 55");
  CHECK(state_in_child(RENAMED_NVML) == "4 250.5 1980000000 55");
}

TEST_CASE("throttle reasons are told by name, several at once") {
  CHECK(throttle_names(0).empty());
  CHECK(throttle_names(0x1).empty());
  CHECK(throttle_names(0x4) == std::vector<std::string>{"sw_power_cap"});
  CHECK(throttle_names(0x4 | 0x40) ==
        std::vector<std::string>{"sw_power_cap", "hw_thermal_slowdown"});
  CHECK(throttle_names(std::uint64_t{1} << 40) == std::vector<std::string>{"bit40"});
}

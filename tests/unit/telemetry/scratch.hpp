#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

#include "harness/telemetry/ring_writer.hpp"

namespace rackproof::telemetry {

/// A folder that is removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "rackproof-ring-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
    folder_ = pattern;
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

 private:
  std::filesystem::path folder_;
};

inline std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

/// Three columns that begin at one second.
inline About three_columns() {
  About about;
  about.host = "node0";
  about.boot = "a-boot";
  about.interval_ns = 100'000'000;
  about.start_monotonic_ns = 1'000'000'000;
  about.start_realtime_ns = 1'700'000'000'000'000'000;
  about.columns = {{"load.1", "", "1", Kind::kGauge, "/proc/loadavg"},
                   {"gpu.energy", "GPU-0", "J", Kind::kCounter, "NVML"},
                   {"gpu.throttle", "GPU-0", "1", Kind::kMask, "NVML"}};
  about.notes = {"GPU 1 is not recorded: it is lost"};
  return about;
}

}  // namespace rackproof::telemetry

#pragma once

#include <cstdlib>
#include <string>

#include "tests/unit/telemetry/scratch.hpp"

namespace rackproof::telemetry {

/// The library that plays this document. Each test has a process of its own under ctest, but not
/// when the program is run by hand: the library is loaded anew each time.
struct Play {
  explicit Play(const std::string& gpu, const std::string& host = "") {
    write_text(scratch.path("nvml.json"), R"({"hosts": [{"match": "*", "gpus": 2, )" + host +
                                              R"("device": {"name": "A", "uuid": "GPU-{index}", )" +
                                              gpu + "}}]}");
    setenv("FAKE_NVML_FILE", scratch.path("nvml.json").c_str(), 1);
  }
  ~Play() { unsetenv("FAKE_NVML_FILE"); }
  Scratch scratch;
};

}  // namespace rackproof::telemetry

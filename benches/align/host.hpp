#pragma once

#include <map>
#include <string>

#include "benches/align/align.hpp"

namespace rackproof::align {

struct HostSettings : Settings {
  std::string kernels = "auto";
};

void declare_host(kit::Options& options, HostSettings& settings);

std::map<std::string, std::string> host_libraries();

/// Aligns on the cores of this node and says what measure() does, with the kernels as a condition.
/// Throws Unavailable where the processor lacks the kernels that were asked for.
void measure_host(const HostSettings& settings, kit::Session& session);

}  // namespace rackproof::align

#pragma once

#include <string>

#include "benches/align/align.hpp"

namespace rackproof::align {

struct CudaSettings : Settings {
  std::string device;
  std::string tile = "auto";
};

void declare_cuda(kit::Options& options, CudaSettings& settings);

/// Aligns on one GPU and says what measure() does, with the device as subject. Throws Unavailable
/// where the database does not fit into its memory.
void measure_cuda(const CudaSettings& settings, kit::Session& session);

}  // namespace rackproof::align

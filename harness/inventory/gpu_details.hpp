#pragma once

#include <map>
#include <string>

#include "harness/nvml/library.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// What else NVML tells of one GPU: identity and firmware, modes now and pending, limits of power
/// and clocks, the PCIe link as it came up, NVLinks, the fabric, and what it lost of its memory.
/// Each fact that it does not tell has the reason: the function that the driver lacks, or the error
/// that it gave.
std::map<std::string, model::Fact> gpu_details(const nvml::Library& library, nvml::Handle gpu);

/// gpu.confidential_compute of the system.
model::Fact confidential_compute(const nvml::Library& library);

}  // namespace rackproof::inventory

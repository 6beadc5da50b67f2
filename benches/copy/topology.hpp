#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "benches/kit/host.hpp"

namespace rackproof::copy {

/// The NUMA domain that a PCI device ("0000:18:00.0") hangs on, as sysfs says; -1 when it does not.
int pci_numa_node(const std::string& pci, const std::filesystem::path& root = kit::kKernelFiles);

/// Throws kit::UsageError when source and destination of `span` bytes each are more than half of
/// the `available` memory of the host: what is page-locked is lost to everybody else.
void require_host_memory(std::int64_t span, std::int64_t available);

}  // namespace rackproof::copy

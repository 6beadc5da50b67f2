#include "benches/copy/topology.hpp"

#include <fmt/format.h>

#include <fstream>

#include "benches/kit/errors.hpp"

namespace rackproof::copy {

int pci_numa_node(const std::string& pci, const std::filesystem::path& root) {
  std::ifstream file(root / "sys/bus/pci/devices" / pci / "numa_node");
  int node = -1;
  return !pci.empty() && file >> node ? node : -1;
}

void require_host_memory(std::int64_t span, std::int64_t available) {
  const std::int64_t need = 2 * span;
  if (need <= available / 2) return;
  throw kit::UsageError(fmt::format(
      "source and destination take {} B of page-locked host memory, more than half of the "
      "{} B that are free; choose a smaller --size",
      need, available));
}

}  // namespace rackproof::copy

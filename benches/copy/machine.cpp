#include "benches/copy/machine.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "benches/copy/legs.hpp"
#include "benches/copy/topology.hpp"
#include "benches/kit/cuda/check.hpp"

namespace rackproof::copy {
namespace {

std::vector<kit::NumaDomain> host_domains() {
  std::vector<kit::NumaDomain> domains;
  for (kit::NumaDomain& domain : kit::numa_domains()) {
    if (!domain.cpus.empty()) domains.push_back(std::move(domain));
  }
  if (domains.empty()) domains.push_back({0, kit::allowed_cpus()});
  return domains;
}

bool can_reach(const kit::cuda::Device& device, const kit::cuda::Device& peer) {
  int can = 0;
  RACKPROOF_CUDA(cudaDeviceCanAccessPeer(&can, device.index, peer.index));
  return can != 0;
}

// Switches access on; false when the driver, asked to do it, will not.
bool switch_on(const kit::cuda::Device& device, const kit::cuda::Device& peer) {
  use(device.index);
  const cudaError_t code = cudaDeviceEnablePeerAccess(peer.index, 0);
  if (code == cudaSuccess) return true;
  if (code != cudaErrorPeerAccessAlreadyEnabled && code != cudaErrorTooManyPeers &&
      code != cudaErrorPeerAccessUnsupported) {
    RACKPROOF_CUDA(code);
  }
  (void)cudaGetLastError();
  return code == cudaErrorPeerAccessAlreadyEnabled;
}

void say_unreachable(const kit::cuda::Device& device, const kit::cuda::Device& peer,
                     const Site& site, std::size_t a, std::size_t b, kit::Session& session) {
  session.note(
      fmt::format("no peer access from device {} to device {}, so nothing is measured between them "
                  "this way: the driver has neither NVLink nor a PCIe path for it (ACS or an IOMMU "
                  "between them, different root complexes, MIG, or a virtual machine)",
                  a, b),
      {{"from", device.uuid},
       {"to", peer.uuid},
       {"from_pci", device.pci},
       {"to_pci", peer.pci},
       {"from_numa", std::int64_t{site.near[a]}},
       {"to_numa", std::int64_t{site.near[b]}}});
}

void connect(Machine& machine, kit::Session& session) {
  const auto& devices = machine.devices;
  machine.site.reach.assign(devices.size(), std::vector<bool>(devices.size(), false));
  for (std::size_t a = 0; a < devices.size(); ++a) {
    for (std::size_t b = 0; b < devices.size(); ++b) {
      if (a == b) continue;
      const bool reaches = can_reach(devices[a], devices[b]) && switch_on(devices[a], devices[b]);
      machine.site.reach[a][b] = reaches;
      if (!reaches) say_unreachable(devices[a], devices[b], machine.site, a, b, session);
    }
  }
}

int near_domain(const kit::cuda::Device& device) {
  const int by_bus = pci_numa_node(device.pci);
  return by_bus >= 0 ? by_bus : device.numa_node;
}

}  // namespace

const std::vector<int>& Machine::cpus_of(int domain) const {
  const auto found = std::find_if(domains.begin(), domains.end(),
                                  [&](const auto& one) { return one.index == domain; });
  if (found == domains.end()) throw std::logic_error("a NUMA domain that is not here");
  return found->cpus;
}

Machine look_around(const Settings& settings, kit::Session& session) {
  Machine machine;
  if (settings.device.empty()) {
    machine.devices = kit::cuda::devices();
  } else {
    machine.devices = {kit::cuda::select(settings.device)};
  }
  machine.domains = host_domains();
  for (const auto& domain : machine.domains) machine.site.domains.push_back(domain.index);
  for (std::size_t i = 0; i < machine.devices.size(); ++i) {
    const kit::cuda::Device& device = machine.devices[i];
    session.device(kit::cuda::to_record(device));
    const int near = near_domain(device);
    machine.site.near.push_back(near);
    session.note(fmt::format("device {} hangs on NUMA domain {}, one of {}", i,
                             near < 0 ? std::string("unknown") : fmt::format("{}", near),
                             machine.domains.size()),
                 {{"device", device.uuid}, {"numa", std::int64_t{near}}});
  }
  if (machine.devices.size() == 1) {
    session.note("one device: there are no peers to copy to or from");
  }
  connect(machine, session);
  return machine;
}

}  // namespace rackproof::copy

#include "harness/crew/neighbours.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace rackproof::crew {
namespace {

std::string kernel_of(const Arrival& arrival) {
  return arrival.boot.empty() ? "host " + arrival.host : arrival.boot;
}

}  // namespace

std::vector<warden::HostShare> shares_of(const std::vector<Arrival>& arrivals) {
  struct Kernel {
    warden::HostShare share;
    const Arrival* first = nullptr;
  };
  std::map<std::string, Kernel> kernels;
  for (const Arrival& arrival : arrivals) {
    Kernel& kernel = kernels[kernel_of(arrival)];
    if (kernel.first == nullptr) kernel.first = &arrival;
    kernel.share.ranks.push_back(arrival.pid);
    if (arrival.process_space == kernel.first->process_space) continue;
    kernel.share.blind = fmt::format(
        "ranks {} and {} are on one machine, in containers that do not see each other's processes",
        kernel.first->rank, arrival.rank);
  }
  std::vector<warden::HostShare> shares;
  for (const Arrival& arrival : arrivals) {
    const Kernel& kernel = kernels.at(kernel_of(arrival));
    shares.push_back(kernel.share);
    shares.back().looks = kernel.first == &arrival;
  }
  return shares;
}

}  // namespace rackproof::crew

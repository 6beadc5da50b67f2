#include "harness/evidence/topology.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "harness/recognise/match.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::evidence {
namespace {

constexpr double kBitsInByte = 8;

bool ends_active(const model::NodeInventory& node, const std::string& port) {
  const auto state = model::value_of(node, port + ".state");
  return state && model::to_text(*state) == "ACTIVE";
}

/// What one of `gpus` GPUs gets of a host's active RDMA ports; 0 where there is none.
double share_of_ports(const model::NodeInventory& node, double gpus) {
  constexpr std::string_view kRate = ".rate_bits_per_second";
  double fastest = 0;
  double all = 0;
  for (const auto& [name, fact] : node.facts) {
    if (!name.starts_with("infiniband.") || !name.ends_with(kRate) || !fact.value) continue;
    const std::optional<double> bits = recognise::number(*fact.value);
    if (!bits || !(*bits > 0) || !ends_active(node, name.substr(0, name.size() - kRate.size()))) {
      continue;
    }
    fastest = std::max(fastest, *bits / kBitsInByte);
    all += *bits / kBitsInByte;
  }
  return std::min(fastest, all / gpus);
}

/// Hosts that have joined one NVLink domain say so; any other is a domain of its own.
std::string domain_of(const Context& context, std::string_view host) {
  const model::NodeInventory* node = context.node(host);
  if (node != nullptr) {
    for (const model::DeviceFacts& device : node->devices) {
      const auto domain = device.facts.find(model::fact_name::kNvlinkDomain);
      if (domain != device.facts.end() && domain->second.value) {
        return "domain " + model::to_text(*domain->second.value);
      }
    }
  }
  return "host " + std::string(host);
}

double network_share(const Context& context, const model::PlatformTable& table,
                     const model::Subject& subject, double gpus_of_host) {
  const auto stated = context.fact(table, subject, "peak.nic_bytes_per_second");
  if (stated) return *stated;
  double least = 0;
  for (const std::string_view host : hosts_of(subject)) {
    const model::NodeInventory* node = context.node(host);
    const double here = node == nullptr ? 0 : share_of_ports(*node, gpus_of_host);
    if (!(here > 0)) return 0;
    least = least > 0 ? std::min(least, here) : here;
  }
  return least;
}

}  // namespace

Topology topology_of(const Context& context, const model::PlatformTable& table,
                     const model::Cell& cell) {
  Topology all;
  const auto ranks = cell.parameters.find("ranks");
  const auto hosts = static_cast<double>(host_count(cell.subject));
  if (ranks == cell.parameters.end() || hosts < 1) return all;
  all.gpus = recognise::number(ranks->second).value_or(0);
  const double of_host = all.gpus / hosts;
  if (!(of_host >= 1) || of_host != std::floor(of_host)) {
    all.contradiction =
        fmt::format("{:g} ranks are not equally many on each of {:g} hosts", all.gpus, hosts);
    return all;
  }
  std::map<std::string, int> domains;
  for (const std::string_view host : hosts_of(cell.subject)) ++domains[domain_of(context, host)];
  const auto smallest =
      std::min_element(domains.begin(), domains.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  all.domain_gpus = of_host * smallest->second;
  all.domains = static_cast<int>(domains.size());
  all.nvlink_bytes_per_second =
      context.fact(table, cell.subject, "peak.nvlink_bytes_per_second").value_or(0);
  all.network_bytes_per_second = network_share(context, table, cell.subject, of_host);
  return all;
}

}  // namespace rackproof::evidence

#include "harness/limits/ports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "reports/model/column_name.hpp"

namespace rackproof::limits {
namespace {

using model::Attempt;
using Ports = std::set<std::string>;

constexpr double kPartOfBusiest = 0.25;
constexpr std::size_t kIdlePortsShown = 4;

/// "mlx5_0:1" and the like, which sent their part while the attempt ran.
Ports ports_in_use(const Attempt& attempt) {
  double busiest = 0;
  std::map<std::string, double> sent;
  for (const model::SeriesSummary& series : attempt.recorded) {
    if (series.name != model::column_name::kInfinibandSent || !series.delta || !(*series.delta > 0))
      continue;
    sent[series.subject] = *series.delta;
    busiest = std::max(busiest, *series.delta);
  }
  Ports ports;
  for (const auto& [port, bytes] : sent) {
    if (bytes >= kPartOfBusiest * busiest) ports.insert(port);
  }
  return ports;
}

/// What each host of the try that gave `measurement` sent through. Those who did not see it are
/// left out: of several processes on a host one at least was recorded with its counters.
std::map<std::string, Ports> ports_by_host(const evidence::Context& context,
                                           const model::Cell& cell,
                                           const model::Measurement& measurement) {
  std::map<std::string, Ports> by_host;
  const Attempt* const own = context.attempt(measurement.attempt);
  if (own == nullptr) return by_host;
  for (const Attempt* one : context.attempts_of(cell)) {
    if (one->number != own->number || one->resumed != own->resumed ||
        one->confirms != own->confirms) {
      continue;
    }
    Ports ports = ports_in_use(*one);
    Ports& known = by_host[one->host];
    if (ports.size() > known.size()) known = std::move(ports);
  }
  std::erase_if(by_host, [](const auto& entry) { return entry.second.empty(); });
  return by_host;
}

/// "; mlx5_3:1 (DOWN) carried nothing of it": of the ports that the inventory names.
std::string idle_text(const model::NodeInventory* node, const Ports& used) {
  if (node == nullptr) return "";
  constexpr std::string_view kPrefix = "infiniband.";
  constexpr std::string_view kState = ".state";
  std::string text;
  std::size_t count = 0;
  for (const auto& [name, fact] : node->facts) {
    const std::size_t port = name.find(".port");
    if (!name.starts_with(kPrefix) || !name.ends_with(kState) || port == std::string::npos) {
      continue;
    }
    const std::string id = name.substr(kPrefix.size(), port - kPrefix.size()) + ":" +
                           name.substr(port + 5, name.size() - kState.size() - port - 5);
    if (used.contains(id) || ++count > kIdlePortsShown) continue;
    text += (text.empty() ? "" : ", ") + id;
    if (fact.value && model::to_text(*fact.value) != "ACTIVE") {
      text += " (" + model::to_text(*fact.value) + ")";
    }
  }
  if (count > kIdlePortsShown) text += fmt::format(" and {} more", count - kIdlePortsShown);
  return text.empty() ? "" : "; not through " + text;
}

std::optional<UnmetDemand> unmet_by(const evidence::Context& context, const model::Demand& demand,
                                    const model::Cell& cell,
                                    const model::Measurement& measurement) {
  const std::map<std::string, Ports> by_host = ports_by_host(context, cell, measurement);
  const auto wanted = static_cast<std::size_t>(*demand.ports_min);
  const std::string tail = demand.reason.empty() ? "" : ": " + demand.reason;
  std::string fewest;
  std::string dark;
  std::size_t short_of = 0;
  for (const std::string_view host : evidence::hosts_of(cell.subject)) {
    const auto known = by_host.find(std::string(host));
    if (known == by_host.end()) {
      if (dark.empty()) dark = host;
      continue;
    }
    if (known->second.size() >= wanted) continue;
    ++short_of;
    if (fewest.empty() || known->second.size() < by_host.at(fewest).size()) fewest = host;
  }
  if (short_of > 0) {
    const Ports& used = by_host.at(fewest);
    return UnmetDemand{
        true, fmt::format("{}{} sent its data through {} RDMA port{}{}; table {} demands {}{}",
                          fewest, short_of > 1 ? fmt::format(" (as {} more)", short_of - 1) : "",
                          used.size(), used.size() == 1 ? "" : "s",
                          idle_text(context.node(fewest), used), demand.table, wanted, tail)};
  }
  if (dark.empty()) return std::nullopt;
  return UnmetDemand{
      false, fmt::format("table {} demands that data goes through {} RDMA ports of each host, and "
                         "of {} no counter of a port that moved was recorded{}",
                         demand.table, wanted, dark, tail)};
}

}  // namespace

std::optional<UnmetDemand> unmet_ports(const evidence::Context& context,
                                       const model::PlatformTable& table, const model::Cell& cell,
                                       const std::vector<const model::Measurement*>& measurements) {
  std::optional<UnmetDemand> worst;
  for (const model::Demand& demand : table.demands) {
    if (!demand.ports_min || !is_about(context, demand, cell)) continue;
    for (const model::Measurement* one : measurements) {
      auto unmet = unmet_by(context, demand, cell, *one);
      if (unmet && (!worst || (unmet->known && !worst->known))) worst = std::move(unmet);
    }
  }
  return worst;
}

}  // namespace rackproof::limits

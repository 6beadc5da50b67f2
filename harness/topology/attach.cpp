#include "harness/topology/attach.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "harness/document/located_json.hpp"
#include "reports/model/finding_id.hpp"
#include "reports/model/printable.hpp"

namespace rackproof::topology {
namespace {

constexpr std::string_view kAdapters = "infiniband.";
constexpr std::string_view kInterfaces = "nic.";
constexpr std::string_view kFabric = "fabric.";
constexpr const char* kUnplaced = "the topology does not say where it is connected";

/// A port of a host that is in the run.
struct AdapterPort {
  std::size_t node = 0;
  std::string nic;
  int port = 1;
};

/// "a088:c203:00ab:7bfe", and the last 64 bits of a GID.
std::optional<std::uint64_t> guid_of(const std::string& text) {
  std::string digits;
  for (const char c : text) {
    if (c != ':') digits += c;
  }
  std::uint64_t guid = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stopped, error] = std::from_chars(digits.data(), end, guid, 16);
  if (digits.size() != 16 || error != std::errc() || stopped != end || guid == 0) {
    return std::nullopt;
  }
  return guid;
}

/// "mlx5_0" of "infiniband.mlx5_0.node_guid": neither name has a dot in it that is followed by one
/// of these words.
std::string between(std::string_view fact, std::string_view before, std::string_view after) {
  if (!fact.starts_with(before) || !fact.ends_with(after)) return "";
  if (fact.size() <= before.size() + after.size()) return "";
  return std::string(fact.substr(before.size(), fact.size() - before.size() - after.size()));
}

std::string short_name(const std::string& host) { return host.substr(0, host.find('.')); }

/// The adapters of all hosts by all their names.
class Adapters {
 public:
  explicit Adapters(const std::vector<model::NodeInventory>& nodes) {
    std::map<std::string, std::size_t> hosts_of_name;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      hosts_[nodes[n].host] = n;
      ++hosts_of_name[short_name(nodes[n].host)];
      read(n, nodes[n]);
    }
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const std::string name = short_name(nodes[n].host);
      if (hosts_of_name[name] == 1) by_short_name_[name] = n;
    }
  }

  /// Nothing where no host of the run has it.
  std::optional<AdapterPort> find(const Attachment& one) const {
    if (one.port_guid) {
      const auto known = by_port_guid_.find(*one.port_guid);
      if (known != by_port_guid_.end()) return known->second;
    }
    if (one.node_guid) {
      const auto known = by_node_guid_.find(*one.node_guid);
      if (known != by_node_guid_.end()) return at_port(known->second, one.port);
    }
    const auto host = host_of(one);
    if (!host) return std::nullopt;
    const auto adapter = by_name_.find({*host, one.nic});
    if (adapter == by_name_.end()) return std::nullopt;
    return at_port(adapter->second, one.port);
  }

  /// The host that a line names, with its domain or without.
  std::optional<std::size_t> host_of(const Attachment& one) const {
    if (one.host.empty()) return std::nullopt;
    if (const auto known = hosts_.find(one.host); known != hosts_.end()) return known->second;
    const std::string name = short_name(one.host);
    const auto known = by_short_name_.find(name);
    if (known == by_short_name_.end()) return std::nullopt;
    // Of two domains it is not the same host.
    const bool has_domain = hosts_.find(name) == hosts_.end();
    if (has_domain && name != one.host) return std::nullopt;
    return known->second;
  }

  std::set<std::string> rdma_of(std::size_t node) const {
    const auto known = rdma_.find(node);
    return known == rdma_.end() ? std::set<std::string>{} : known->second;
  }

 private:
  static AdapterPort at_port(AdapterPort port, int number) {
    port.port = number;
    return port;
  }

  void read(std::size_t n, const model::NodeInventory& node) {
    // Interfaces of RDMA adapters last: they are the adapter by another name.
    for (const auto& [name, fact] : node.facts) {
      const std::string nic = between(name, kInterfaces, ".mtu_bytes");
      if (!nic.empty()) by_name_[{n, nic}] = {n, nic, 1};
    }
    for (const auto& [name, fact] : node.facts) {
      const std::string adapter = between(name, kAdapters, ".node_guid");
      if (adapter.empty()) continue;
      rdma_[n].insert(adapter);
      by_name_[{n, adapter}] = {n, adapter, 1};
      if (const auto guid = guid_of(text_of(node, name))) by_node_guid_[*guid] = {n, adapter, 1};
      read_ports(n, node, adapter);
      std::istringstream interfaces(
          text_of(node, std::string(kAdapters) + adapter + ".interfaces"));
      for (std::string interface; interfaces >> interface;) {
        by_name_[{n, interface}] = {n, adapter, 1};
      }
    }
  }

  void read_ports(std::size_t n, const model::NodeInventory& node, const std::string& adapter) {
    const std::string begin = std::string(kAdapters) + adapter + ".port";
    for (auto at = node.facts.lower_bound(begin);
         at != node.facts.end() && at->first.starts_with(begin); ++at) {
      const std::string number = between(at->first, begin, ".guid");
      int port = 0;
      const char* const end = number.data() + number.size();
      const auto [stopped, error] = std::from_chars(number.data(), end, port);
      if (number.empty() || error != std::errc() || stopped != end) continue;
      if (const auto guid = guid_of(text_of(node, at->first))) {
        by_port_guid_[*guid] = {n, adapter, port};
      }
    }
  }

  static std::string text_of(const model::NodeInventory& node, const std::string& fact) {
    return model::text_of(node, fact).value_or("");
  }

  std::map<std::string, std::size_t> hosts_;
  std::map<std::string, std::size_t> by_short_name_;
  std::map<std::uint64_t, AdapterPort> by_port_guid_;
  std::map<std::uint64_t, AdapterPort> by_node_guid_;
  std::map<std::pair<std::size_t, std::string>, AdapterPort> by_name_;
  std::map<std::size_t, std::set<std::string>> rdma_;  ///< by host
};

std::string prefix_of(const AdapterPort& port) {
  const std::string number = port.port == 1 ? "" : fmt::format(".port{}", port.port);
  return std::string(kFabric) + port.nic + number + ".";
}

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 4;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kMost); ++i) {
    text += (i == 0 ? "" : ", ") + names[i];
  }
  return names.size() > kMost ? fmt::format("{} and {} more", text, names.size() - kMost) : text;
}

void put(model::NodeInventory& node, const std::string& prefix, const char* what,
         const std::string& raw, const Attachment& from) {
  if (raw.empty()) return;
  const std::string text = model::printable(raw);
  const std::string source = fmt::format("{}:{}", from.file, from.line);
  const auto [place, fresh] =
      node.facts.try_emplace(prefix + what, model::Fact{contract::Scalar(text), source, ""});
  const model::Fact& known = place->second;
  if (fresh || known.value == contract::Scalar(text)) return;
  if (!known.value) {  // of an earlier topology, which did not say it
    place->second = {contract::Scalar(text), source, ""};
    return;
  }
  throw document::ConfigError(
      from.file, from.line, what,
      fmt::format("'{}' of {} {}; by {} it is '{}'", text, node.host,
                  prefix.substr(kFabric.size(), prefix.size() - kFabric.size() - 1), known.source,
                  model::to_text(*known.value)));
}

}  // namespace

Attached attach(const std::vector<Attachment>& topology, std::vector<model::NodeInventory>& nodes) {
  Attached done;
  if (topology.empty()) return done;
  const Adapters adapters(nodes);
  std::set<std::pair<std::size_t, std::string>> known;
  std::set<std::pair<std::size_t, std::string>> prefixes;
  std::map<std::size_t, std::vector<std::string>> strangers;
  for (const Attachment& one : topology) {
    const std::optional<AdapterPort> port = adapters.find(one);
    if (!port) {
      const auto host = adapters.host_of(one);
      if (!host) continue;  // of the rest of the fabric
      const std::string line = fmt::format("{}:{}: {}", one.file, one.line, name_of(one));
      done.strangers.push_back(line);
      strangers[*host].push_back(line);
      continue;
    }
    model::NodeInventory& node = nodes[port->node];
    const std::string prefix = prefix_of(*port);
    put(node, prefix, "leaf", one.leaf, one);
    put(node, prefix, "leaf_port", one.leaf_port, one);
    put(node, prefix, "rail", one.rail, one);
    put(node, prefix, "cable_serial", one.cable_serial, one);
    known.emplace(port->node, port->nic);
    prefixes.emplace(port->node, prefix);
  }
  done.ports = prefixes.size();
  if (prefixes.empty()) {
    throw document::ConfigError(
        topology.front().file, 0, "",
        "names no adapter of a host of this run" +
            (done.strangers.empty() ? "" : "; none has such as " + done.strangers.front()));
  }
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    std::vector<std::string> unplaced;
    for (const std::string& device : adapters.rdma_of(n)) {
      if (known.contains({n, device})) continue;
      unplaced.push_back(device);
      nodes[n].facts[std::string(kFabric) + device + ".leaf"] = {std::nullopt,
                                                                 topology.front().file, kUnplaced};
    }
    std::string text;
    if (!unplaced.empty()) {
      text = "the topology does not say where it is connected: " + listed(unplaced);
    }
    if (!strangers[n].empty()) {
      text += (text.empty() ? "" : "; ") + std::string("the host has no such adapter: ") +
              listed(strangers[n]);
    }
    if (text.empty()) continue;
    model::Finding gap;
    gap.id = model::finding_id::kTopologyGap;
    gap.severity = model::Severity::kWarning;
    gap.subject = nodes[n].host;
    gap.text = std::move(text);
    done.gaps.push_back(std::move(gap));
  }
  return done;
}

void keep_places(const model::NodeInventory& from, model::NodeInventory& to) {
  for (auto at = from.facts.lower_bound(std::string(kFabric));
       at != from.facts.end() && at->first.starts_with(kFabric); ++at) {
    to.facts.insert(*at);
  }
}

}  // namespace rackproof::topology

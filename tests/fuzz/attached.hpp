#pragma once

#include <exception>
#include <string>
#include <vector>

#include "harness/document/located_json.hpp"
#include "harness/topology/attach.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rackproof::fuzz {

/// Hosts with adapters that the seeds name.
inline std::vector<model::NodeInventory> hosts_of_seeds() {
  std::vector<model::NodeInventory> nodes(2);
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    const std::string digit = std::to_string(n + 1);
    nodes[n].host = "gb-0" + digit;
    const auto put = [&](const std::string& name, const std::string& text) {
      nodes[n].facts[name] = {contract::Scalar(text), "a file", ""};
    };
    put("infiniband.mlx5_0.node_guid", "a088:c203:00ab:00" + digit + "0");
    put("infiniband.mlx5_0.port1.guid", "a088:c203:00ab:00" + digit + "1");
    put("infiniband.mlx5_0.interfaces", "eth2");
  }
  return nodes;
}

/// What any reader of a topology promises of any bytes: a message of one line, or attachments with
/// a place and a name that can be put among the facts of hosts, twice as well as once.
template <class Read>
void check_reader(const std::uint8_t* data, std::size_t size, Read read) {
  try {
    const std::vector<topology::Attachment> found = read(text_of(data, size));
    for (const topology::Attachment& one : found) {
      expect(one.line > 0 && one.port > 0 && one.port < 256, "a line and a port");
      expect(one.host.empty() == one.nic.empty(), "a host and its adapter");
    }
    std::vector<model::NodeInventory> nodes = hosts_of_seeds();
    const topology::Attached first = topology::attach(found, nodes);
    const std::vector<model::NodeInventory> once = nodes;
    const topology::Attached second = topology::attach(found, nodes);
    expect(first.ports == second.ports && nodes == once, "the same again");
  } catch (const document::ConfigError& error) {
    const std::string text = error.what();
    expect(!text.empty() && text.find('\n') == std::string::npos, "a message of one line");
  }
}

}  // namespace rackproof::fuzz

#include "harness/topology/attachments.hpp"

#include <fmt/format.h>

#include <utility>

#include "harness/document/located_json.hpp"

namespace rackproof::topology {
namespace {

std::string port_text(int port) { return port == 1 ? "" : fmt::format(" port {}", port); }

std::vector<std::string> keys_of(const Attachment& one) {
  std::vector<std::string> keys;
  if (one.port_guid) keys.push_back(fmt::format("port {:016x}", *one.port_guid));
  if (one.node_guid) keys.push_back(fmt::format("node {:016x} {}", *one.node_guid, one.port));
  // Names are not unique, GUIDs are: adapters that nobody named share the name of their make.
  if (keys.empty()) keys.push_back(fmt::format("name {} {} {}", one.host, one.nic, one.port));
  return keys;
}

}  // namespace

std::string name_of(const Attachment& one) {
  if (!one.host.empty()) return one.host + " " + one.nic + port_text(one.port);
  if (one.port_guid) return fmt::format("port GUID 0x{:016x}", *one.port_guid);
  return fmt::format("node GUID 0x{:016x}", one.node_guid.value_or(0)) + port_text(one.port);
}

std::string place_of(const Attachment& one) {
  return one.leaf + (one.leaf_port.empty() ? "" : " port " + one.leaf_port);
}

void Attachments::add(Attachment attachment) {
  const std::vector<std::string> keys = keys_of(attachment);
  for (const std::string& key : keys) {
    const auto known = places_.find(key);
    if (known == places_.end()) continue;
    Attachment& earlier = all_[known->second];
    if (earlier.leaf != attachment.leaf || earlier.leaf_port != attachment.leaf_port) {
      throw document::ConfigError(
          attachment.file, attachment.line, "",
          fmt::format("{} is connected to {} here and to {} in line {}; expected one place",
                      name_of(attachment), place_of(attachment), place_of(earlier), earlier.line));
    }
    if (!earlier.node_guid) earlier.node_guid = attachment.node_guid;
    if (!earlier.port_guid) earlier.port_guid = attachment.port_guid;
    if (earlier.host.empty()) {
      earlier.host = attachment.host;
      earlier.nic = attachment.nic;
    }
    for (const std::string& other : keys) places_.emplace(other, known->second);
    return;
  }
  for (const std::string& key : keys) places_.emplace(key, all_.size());
  all_.push_back(std::move(attachment));
}

}  // namespace rackproof::topology

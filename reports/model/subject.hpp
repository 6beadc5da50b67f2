#pragma once

#include <compare>
#include <string>
#include <string_view>
#include <vector>

#include "contract/subject_kind.hpp"

namespace rackproof::model {

/// What a cell is about. A node: host. A device: host and UUID. A link: host, device (may be empty:
/// node to node) and the same of the peer. A group: its name and the hosts in it, sorted.
struct Subject {
  contract::SubjectKind kind = contract::SubjectKind::kNode;
  std::string host;
  std::string device;
  std::string peer_host;
  std::string peer_device;
  std::string group;
  std::vector<std::string> members;

  // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy takes the 0 inside a default <=> for a null.
  auto operator<=>(const Subject&) const = default;
};

/// Unique within a run: "node3", "node3/GPU-1a2b", "node1 - node2", "world (4 hosts)".
std::string label(const Subject& subject);

/// "node1, node2 and 3 more": the first eight.
std::string host_names(const std::vector<std::string>& hosts);
/// Those that host_names() wrote.
std::vector<std::string> named_hosts(std::string_view text);

}  // namespace rackproof::model

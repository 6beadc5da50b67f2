#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "harness/document/located_json.hpp"
#include "harness/topology/attachments.hpp"
#include "harness/topology/formats.hpp"
#include "harness/topology/line_scanner.hpp"

namespace rackproof::topology {
namespace {

enum class NodeKind { kUnknown, kSwitch, kAdapter, kRouter };

struct LinkInfoPort {
  int line = 0;
  NodeKind kind = NodeKind::kUnknown;  ///< unknown with -l, which names no kinds
  std::optional<std::uint64_t> guid;
  std::string name;
  bool named = false;  ///< by the line itself, as with -l
  int port = 0;
  std::optional<std::uint64_t> peer_guid;
  std::string peer_name;
  int peer_port = 0;  ///< 0: nothing is at the other end
};

/// "12[  ]": a port and, in a chassis, its number on the outside.
int numbered_port(LineScanner& line, const char* field) {
  line.skip_blanks();
  const int port = line.port(field);
  line.expect("[", field);
  if (!line.skip_past("]")) line.fail(field, "']'");
  return port;
}

void read_peer(LineScanner& line, LinkInfoPort& port) {
  line.skip_blanks();
  // A port that is down, and one whose peer did not answer.
  if (line.rest().starts_with('[') || line.rest().starts_with('"')) return;
  if (line.take("0x")) port.peer_guid = line.guid("peer GUID");
  line.skip_blanks();
  line.number("peer LID");
  port.peer_port = numbered_port(line, "peer port");
  port.peer_name = line.quoted("peer name");
}

LinkInfoPort port_line(LineScanner line) {
  LinkInfoPort port;
  port.line = line.number();
  line.skip_blanks();
  if (line.take("0x")) {
    port.guid = line.guid("GUID");
    line.skip_blanks();
  }
  if (line.rest().starts_with('"')) {
    // The name may hold anything but the arrow: what is before that is it, two numbers and "[  ]".
    const std::string_view rest = line.rest();
    const std::size_t arrow = rest.find("==(");
    const std::size_t quote = rest.substr(0, arrow).rfind('"');
    if (quote == 0 || quote == std::string_view::npos) line.fail("name", "a name in double quotes");
    port.name = trimmed(rest.substr(1, quote - 1));
    port.named = true;
    line.take(rest.substr(0, quote + 1));
    line.skip_blanks();
  }
  line.number("LID");
  port.port = numbered_port(line, "port");
  line.skip_blanks();
  line.expect("==(", "link");
  if (!line.skip_past(")==>")) line.fail("link", "')==>'");
  read_peer(line, port);
  return port;
}

class LinkInfoReader {
 public:
  explicit LinkInfoReader(const std::string& file) : file_(file) {}

  void read(std::string_view text, int number) {
    if (trimmed(text).empty() || text.starts_with('#')) return;
    const LineScanner line(file_, text, number);
    if (text.find("==(") == std::string_view::npos) {
      read_heading(line);
      return;
    }
    LinkInfoPort port = port_line(line);
    if (port.named) {
      if (!port.guid) line.fail("GUID", "0x and the GUID of the port before its name");
    } else {
      if (kind_ == NodeKind::kUnknown) line.fail("", "a node (Switch: or CA:) before its ports");
      port.kind = kind_;
      port.name = name_;
      if (kind_ == NodeKind::kSwitch) port.guid = switch_guid_;
    }
    if (port.guid) ports_of_[*port.guid].insert(port.port);
    ports_.push_back(std::move(port));
  }

  std::vector<Attachment> take() {
    find_kinds();
    Attachments found;
    for (const LinkInfoPort& port : ports_) {
      if (port.peer_port == 0) continue;
      if (port.kind == NodeKind::kAdapter && peer_is_switch(port)) found.add(from_adapter(port));
      // With both ends in the file that of the adapter knows its GUID.
      if (port.kind == NodeKind::kSwitch && (port.peer_guid || adapters_.empty()) &&
          !peer_is_switch(port)) {
        found.add(from_switch(port));
      }
    }
    return found.take();
  }

 private:
  void read_heading(LineScanner line) {
    if (line.take("Switch")) {
      kind_ = NodeKind::kSwitch;
      line.take(":");
      line.skip_blanks();
      line.expect("0x", "GUID");
      switch_guid_ = line.guid("GUID");
    } else if (line.take("CA:")) {
      kind_ = NodeKind::kAdapter;
    } else if (line.take("Router:")) {
      kind_ = NodeKind::kRouter;
    } else {
      line.fail("", "a line of iblinkinfo: Switch:, CA:, Router: or a port and its ==( link )==>");
    }
    std::string_view name = trimmed(line.rest());
    if (name.ends_with(':')) name.remove_suffix(1);
    name_ = trimmed(name);
    if (kind_ == NodeKind::kSwitch) switches_.add(switch_guid_, name_);
    if (kind_ == NodeKind::kAdapter) adapters_.insert(name_);
  }

  /// LinkInfoPort GUIDs are one for each port of an adapter and one for all of a switch (InfiniBand
  /// Architecture Specification, NodeInfo:PortGUID).
  void find_kinds() {
    for (LinkInfoPort& port : ports_) {
      if (port.kind != NodeKind::kUnknown) continue;
      const bool is_switch = ports_of_[*port.guid].size() > 1;
      port.kind = is_switch ? NodeKind::kSwitch : NodeKind::kAdapter;
      if (is_switch) switches_.add(*port.guid, port.name);
    }
  }

  /// Where the file has switches or adapters alone (--switches-only, --cas-only) the peers that are
  /// not in it are of the other kind.
  bool peer_is_switch(const LinkInfoPort& port) const {
    if (!port.peer_guid) {
      return switches_.known(port.peer_name) ||
             (switches_.empty() && !adapters_.contains(port.peer_name));
    }
    const auto known = ports_of_.find(*port.peer_guid);
    return known == ports_of_.end() ? port.kind == NodeKind::kAdapter : known->second.size() > 1;
  }

  std::string leaf_of(const LinkInfoPort& port, const std::optional<std::uint64_t>& guid,
                      const std::string& name) const {
    if (guid) return switches_.of(*guid, name);
    if (!switches_.shared(name)) return name;
    throw document::ConfigError(file_, port.line, "peer name",
                                "several switches are called '" + name +
                                    "'; expected names that tell them apart (--node-name-map), or "
                                    "the output of iblinkinfo -l");
  }

  Attachment from_adapter(const LinkInfoPort& port) const {
    Attachment one;
    one.file = file_;
    one.line = port.line;
    std::tie(one.host, one.nic) = host_and_nic(port.name);
    one.port_guid = port.guid;
    one.port = port.port;
    one.leaf = leaf_of(port, port.peer_guid, port.peer_name);
    one.leaf_port = std::to_string(port.peer_port);
    return one;
  }

  Attachment from_switch(const LinkInfoPort& port) const {
    Attachment one;
    one.file = file_;
    one.line = port.line;
    std::tie(one.host, one.nic) = host_and_nic(port.peer_name);
    one.port_guid = port.peer_guid;
    one.port = port.peer_port;
    one.leaf = switches_.of(*port.guid, port.name);
    one.leaf_port = std::to_string(port.port);
    return one;
  }

  const std::string& file_;
  NodeKind kind_ = NodeKind::kUnknown;
  std::string name_;
  std::uint64_t switch_guid_ = 0;
  std::set<std::string> adapters_;  ///< names of those whose ports are in the file
  SwitchNames switches_;
  std::map<std::uint64_t, std::set<int>> ports_of_;
  std::vector<LinkInfoPort> ports_;
};

}  // namespace

std::vector<Attachment> read_iblinkinfo(const std::string& file, std::string_view text) {
  LinkInfoReader reader(file);
  for_each_line(text, [&](std::string_view line, int number) { reader.read(line, number); });
  return reader.take();
}

}  // namespace rackproof::topology

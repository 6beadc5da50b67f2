#include <fmt/format.h>

#include <optional>
#include <tuple>

#include "harness/topology/attachments.hpp"
#include "harness/topology/formats.hpp"
#include "harness/topology/line_scanner.hpp"

namespace rackproof::topology {
namespace {

/// S-0002c90200000001, H-..., R-...: kind and GUID of a node.
struct FabricNode {
  char kind = '?';
  std::uint64_t guid = 0;
};

/// One port of the section that is being read, and what is at the other end.
struct FabricLink {
  FabricNode own;
  int port = 0;
  std::optional<std::uint64_t> port_guid;
  std::string name;  ///< of the section
  FabricNode peer;
  int peer_port = 0;
  std::optional<std::uint64_t> peer_port_guid;
  std::string peer_name;
  int line = 0;
};

FabricNode node_of(LineScanner& line) {
  FabricNode node;
  line.expect("\"", "node");
  for (const char kind : {'S', 'H', 'R', '?'}) {
    if (!line.take({&kind, 1})) continue;
    node.kind = kind;
    line.expect("-", "node");
    node.guid = line.guid("node");
    line.expect("\"", "node");
    return node;
  }
  line.fail("node", "S-, H- or R- and a GUID");
}

int bracketed_port(LineScanner& line, const char* field) {
  line.expect("[", field);
  const int port = line.port(field);
  line.expect("]", field);
  // The number on the outside of a chassis.
  if (line.take("[ext ")) {
    line.number("external port");
    line.expect("]", "external port");
  }
  return port;
}

std::optional<std::uint64_t> port_guid_in(LineScanner& line) {
  line.skip_blanks();
  if (!line.take("(")) return std::nullopt;
  const std::uint64_t guid = line.guid("port GUID");
  line.expect(")", "port GUID");
  return guid;
}

/// Lines of a node's identity and headings of groups say nothing of links.
bool says_no_link(std::string_view line) {
  if (trimmed(line).empty() || line.starts_with('#')) return true;
  for (const char* begin : {"vendid=", "devid=", "sysimgguid=", "switchguid=", "caguid=", "rtguid=",
                            "Chassis ", "Non-Chassis Nodes", "Hostname: "}) {
    if (line.starts_with(begin)) return true;
  }
  return false;
}

class DiscoverReader {
 public:
  explicit DiscoverReader(const std::string& file) : file_(file) {}

  void read(std::string_view text, int number) {
    if (says_no_link(text)) return;
    LineScanner line(file_, text, number);
    if (text.starts_with('[')) {
      read_port(line);
    } else {
      read_heading(line);
    }
  }

  std::vector<Attachment> take() {
    Attachments found;
    for (const FabricLink& link : links_) {
      const bool down = link.own.kind == 'S' && link.peer.kind == 'H';
      const bool up = link.own.kind == 'H' && link.peer.kind == 'S';
      if (!down && !up) continue;
      Attachment one;
      one.file = file_;
      one.line = link.line;
      one.node_guid = down ? link.peer.guid : link.own.guid;
      one.port_guid = down ? link.peer_port_guid : link.port_guid;
      one.port = down ? link.peer_port : link.port;
      std::tie(one.host, one.nic) = host_and_nic(down ? link.peer_name : link.name);
      one.leaf = down ? switches_.of(link.own.guid, link.name)
                      : switches_.of(link.peer.guid, link.peer_name);
      one.leaf_port = std::to_string(down ? link.port : link.peer_port);
      found.add(std::move(one));
    }
    return found.take();
  }

 private:
  void read_heading(LineScanner& line) {
    bool known = false;
    for (const char* kind : {"Switch", "Ca", "Rt", "???"}) {
      if (line.take(kind)) {
        known = true;
        break;
      }
    }
    if (!known) {
      line.fail("", "a line of ibnetdiscover: Switch, Ca, Rt, a port in brackets or an identity");
    }
    line.skip_blanks();
    line.number("ports");
    line.skip_blanks();
    own_ = node_of(line);
    line.skip_blanks();
    line.expect("#", "name");
    name_ = line.quoted("name");
    in_section_ = true;
    if (own_.kind == 'S') switches_.add(own_.guid, name_);
  }

  void read_port(LineScanner& line) {
    if (!in_section_) line.fail("", "a node (Switch, Ca or Rt) before its ports");
    FabricLink link;
    link.own = own_;
    link.name = name_;
    link.line = line.number();
    link.port = bracketed_port(line, "port");
    link.port_guid = port_guid_in(line);
    line.skip_blanks();
    link.peer = node_of(line);
    link.peer_port = bracketed_port(line, "peer port");
    link.peer_port_guid = port_guid_in(line);
    line.skip_blanks();
    line.expect("#", "peer name");
    link.peer_name = line.quoted("peer name");
    if (link.peer.kind == 'S') switches_.add(link.peer.guid, link.peer_name);
    links_.push_back(std::move(link));
  }

  const std::string& file_;
  FabricNode own_;
  std::string name_;
  bool in_section_ = false;
  SwitchNames switches_;
  std::vector<FabricLink> links_;
};

}  // namespace

void SwitchNames::add(std::uint64_t guid, const std::string& name) { guids_[name].insert(guid); }

bool SwitchNames::shared(const std::string& name) const {
  const auto known = guids_.find(name);
  return known != guids_.end() && known->second.size() > 1;
}

std::string SwitchNames::of(std::uint64_t guid, const std::string& name) const {
  if (!name.empty() && !shared(name)) return name;
  return fmt::format("{}{}0x{:016x}", name, name.empty() ? "" : " ", guid);
}

std::vector<Attachment> read_ibnetdiscover(const std::string& file, std::string_view text) {
  DiscoverReader reader(file);
  for_each_line(text, [&](std::string_view line, int number) { reader.read(line, number); });
  return reader.take();
}

}  // namespace rackproof::topology
